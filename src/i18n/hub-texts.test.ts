/** The texts of hub models: Korean fills in what English fills in. */
import { describe, expect, it } from 'vitest';
import { enHub, type HubTextKey } from './en-hub';
import { koHub } from './ko-hub';

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe('the Korean texts of hub models', () => {
  it.each(Object.entries(enHub))('%s has the placeholders of the English text', (key, text) => {
    const korean = koHub[key as HubTextKey];
    expect(placeholders(korean)).toEqual(placeholders(text));
    expect(korean.trim()).not.toBe('');
  });
});
