import { afterEach, describe, expect, it, vi } from 'vitest';
import { copyText } from './handout';

/** The few parts of a document that the old way of copying touches. */
function fakeDocument(copied: boolean) {
  const area = { value: '', style: {}, setAttribute: vi.fn(), select: vi.fn(), remove: vi.fn() };
  // Nothing is focused, so any class does.
  vi.stubGlobal('HTMLElement', Error);
  vi.stubGlobal('document', {
    activeElement: null,
    body: { append: vi.fn() },
    createElement: () => area,
    execCommand: () => copied,
  });
  return area;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('copyText', () => {
  it('uses the clipboard', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    expect(await copyText('131,072')).toBe(true);
    expect(writeText).toHaveBeenCalledWith('131,072');
  });

  it.each([
    ['is missing', {}],
    ['refuses', { clipboard: { writeText: () => Promise.reject(new Error('NotAllowedError')) } }],
  ])('copies by selection where the clipboard %s', async (_how, navigator) => {
    vi.stubGlobal('navigator', navigator);
    const area = fakeDocument(true);
    expect(await copyText('131,072')).toBe(true);
    expect(area.value).toBe('131,072');
    expect(area.remove).toHaveBeenCalledOnce();
  });

  it('says so when neither way works', async () => {
    vi.stubGlobal('navigator', {});
    fakeDocument(false);
    expect(await copyText('131,072')).toBe(false);
  });
});
