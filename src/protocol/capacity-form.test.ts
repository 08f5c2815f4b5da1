/** What is typed into the planner's form: thousands and percent, which a link reads differently. */
import { describe, expect, it } from 'vitest';
import type { CapacityState } from './capacity';
import { linkText } from './capacity-form';
import { parseCapacityOption } from './options';

const typed = (name: keyof CapacityState, text: string) =>
  parseCapacityOption(name, [linkText(name, text)]).value;

describe('tokens per session', () => {
  it.each([
    ['8,192', [8192]],
    ['4,096, 8,192, 32,768', [4096, 8192, 32_768]],
    ['1,048,576', [1_048_576]],
    ['128,256,512', [128, 256, 512]],
    ['4096,8192', [4096, 8192]],
    ['4096,8,192', [8, 192, 4096]],
    ['512,1024', [512, 1024]],
    ['8, 192', [8, 192]],
    ['64,12', [12, 64]],
    ['8192', [8192]],
    ['0,192', null],
    ['8,192,', null],
  ])('%s', (text, value) => {
    expect(typed('contexts', text)).toEqual(value);
  });

  it('a link has no thousands', () => {
    expect(parseCapacityOption('contexts', ['8,192']).value).toEqual([8, 192]);
  });
});

describe('usable share', () => {
  it.each([
    ['1', 1],
    ['0.9', 0.9],
    ['90', 90],
    [' 92.5 ', 92.5],
    ['50 %', 50],
    ['100', 100],
    ['0', null],
    ['101', null],
    ['', null],
    ['abc', null],
  ])('%s', (text, value) => {
    expect(typed('share', text)).toBe(value);
  });

  it('a link’s 1 is all of it', () => {
    expect(parseCapacityOption('share', ['1']).value).toBe(100);
  });
});
