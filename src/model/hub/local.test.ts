/** Folders as pickers and drops give them. */
import { describe, expect, it } from 'vitest';
import { LabError } from '../../protocol/faults';
import { droppedFiles, type LocalFile, localModel, pickedFiles } from './local';

function files(...paths: string[]): LocalFile[] {
  return paths.map((path) => ({ path, file: new Blob([path]) }));
}

function faultOf(given: LocalFile[]): unknown {
  try {
    localModel(given);
  } catch (error) {
    if (error instanceof LabError) return error.fault;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('finding the model', () => {
  it.each([
    [['m/config.json', 'm/onnx/model.onnx'], 'm', ['config.json', 'onnx/model.onnx']],
    [
      ['m/config.json', 'm/model_q4.onnx', 'm/model_q4.onnx_data'],
      'm',
      ['config.json', 'onnx/model_q4.onnx', 'onnx/model_q4.onnx_data'],
    ],
    [
      ['all/m/config.json', 'all/m/onnx/model.onnx', 'all/readme.md'],
      'm',
      ['config.json', 'onnx/model.onnx'],
    ],
    [['config.json', 'model.onnx'], 'files', ['config.json', 'onnx/model.onnx']],
    [
      ['m/.git/config.json', 'm/config.json', 'm/onnx/model.onnx', 'm/sub/config.json'],
      'm',
      ['config.json', 'onnx/model.onnx'],
    ],
  ])('%j', (paths, folder, inside) => {
    const model = localModel(files(...paths));
    expect(model.folder).toBe(folder);
    expect([...model.files.keys()]).toEqual(inside);
    expect(model.listing.map(({ path }) => path)).toEqual(inside);
  });

  it('prefers the file in onnx/ to one of the same name beside config.json', async () => {
    const model = localModel(files('m/model.onnx', 'm/onnx/model.onnx', 'm/config.json'));
    expect(await model.files.get('onnx/model.onnx')?.text()).toBe('m/onnx/model.onnx');
  });

  it('tells sizes', () => {
    const model = localModel([...files('m/config.json'), { path: 'm/model.onnx', file: new Blob(['1234']) }]);
    expect(model.listing).toContainEqual({ path: 'onnx/model.onnx', bytes: 4 });
  });
});

describe('what is missing', () => {
  it.each([
    [['m/onnx/model.onnx'], 'local-no-config', { folder: 'm' }],
    [[], 'local-no-config', { folder: 'files' }],
    [['m/config.json', 'm/model.safetensors'], 'local-no-onnx', { folder: 'm' }],
    [['a/x/config.json', 'a/y/config.json'], 'local-several', { folders: 'a/x, a/y' }],
  ])('%j is %s', (paths, code, params) => {
    expect(faultOf(files(...paths))).toEqual({ code, params });
  });
});

it('reads a picker’s files with and without folders', () => {
  const inFolder = Object.assign(new File(['1'], 'model.onnx'), { webkitRelativePath: 'm/model.onnx' });
  const bare = Object.assign(new File(['1'], 'config.json'), { webkitRelativePath: '' });
  expect(pickedFiles([inFolder, bare]).map(({ path }) => path)).toEqual(['m/model.onnx', 'config.json']);
});

it('walks dropped folders, a hundred entries at a time, without hidden ones', async () => {
  const entry = (fullPath: string): FileSystemFileEntry =>
    ({
      isDirectory: false,
      name: fullPath.split('/').at(-1),
      fullPath,
      file: (done: (file: File) => void) => {
        done(new File([fullPath], 'x'));
      },
    }) as FileSystemFileEntry;
  const folder = (fullPath: string, ...batches: FileSystemEntry[][]): FileSystemDirectoryEntry =>
    ({
      isDirectory: true,
      name: fullPath.split('/').at(-1),
      fullPath,
      createReader: () => {
        const left = [...batches];
        return {
          readEntries: (done: (entries: FileSystemEntry[]) => void) => {
            done(left.shift() ?? []);
          },
        };
      },
    }) as unknown as FileSystemDirectoryEntry;
  const dropped = folder(
    '/m',
    [entry('/m/config.json'), folder('/m/.git', [entry('/m/.git/config.json')])],
    [folder('/m/onnx', [entry('/m/onnx/model.onnx')])],
  );
  const found = await droppedFiles([dropped]);
  expect(found.map(({ path }) => path).sort()).toEqual(['m/config.json', 'm/onnx/model.onnx']);
});
