/** The operating system by User-Agent Client Hints: the user agent string says the same of many systems. */

/** "Windows 15.0.0 x86 64"; undefined until the browser has answered, and where it does not tell. */
export let platform: string | undefined;

const HINTS = ['platform', 'platformVersion', 'architecture', 'bitness'] as const;

interface ClientHints {
  getHighEntropyValues: (names: string[]) => Promise<Record<string, unknown>>;
}

async function readPlatform(): Promise<string | undefined> {
  try {
    const { userAgentData: hints } = navigator as { userAgentData?: ClientHints };
    const found = await hints?.getHighEntropyValues([...HINTS]);
    const words = HINTS.map((name) => found?.[name]).filter((word) => typeof word === 'string');
    const line = words.filter((word) => word !== '').join(' ');
    return line === '' ? undefined : line.slice(0, 200);
  } catch {
    // Refused by a policy, or no browser at all.
    return undefined;
  }
}

// Asked for when the worker starts; the answer is there long before a model is loaded.
void readPlatform().then((found) => {
  platform = found;
});
