/** Hands results to the person: a file, or the clipboard. */

/** Offers `text` as a file download with that name. */
export function download(name: string, mime: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mime }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The download has its own reference by the next task; revoking at once breaks Safari.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 1000);
}

/** Copies to the clipboard, by the old way where the clipboard API is missing or refuses. False when neither worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  try {
    // Deprecated, and still the only way on a page without clipboard permission.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- no replacement works where the clipboard API refuses
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
