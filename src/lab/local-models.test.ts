/** Folders of any name get an id that a recipe takes. */
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalModel } from '../model/hub/local';
import { isModelId } from '../protocol/options';
import { forgetLocalModel, keepLocalModel, localModels } from './local-models';

const kept: string[] = [];
afterEach(() => {
  for (const id of kept.splice(0)) forgetLocalModel(id);
});

function keep(folder: string): string {
  const model: LocalModel = { folder, files: new Map(), listing: [] };
  const id = keepLocalModel(model);
  kept.push(id);
  return id;
}

describe('keepLocalModel', () => {
  it.each([
    ['tiny', 'local:tiny'],
    ['my tiny (1)', 'local:my tiny _1_'],
    ['모델 v1.0', 'local:모델 v1.0'],
    ['a..b...c', 'local:a_.b__.c'],
    ['x@y#z', 'local:x_y_z'],
  ])('gives “%s” the id %s', (folder, id) => {
    expect(keep(folder)).toBe(id);
    expect(isModelId(id)).toBe(true);
  });

  it('replaces a folder of the same name, and forgets', () => {
    const id = keep('tiny');
    const first = localModels.value.get(id);
    keep('tiny');
    expect(localModels.value.get(id)).not.toBe(first);
    forgetLocalModel(id);
    expect(localModels.value.size).toBe(0);
  });
});
