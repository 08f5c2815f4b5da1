/** Ids and hosts as people write them, and what must never become an address. */
import { expect, it } from 'vitest';
import { checkHost, fileUrl, isCommit, listingUrl, parseHubId } from './ids';

it.each([
  ['onnx-community/Qwen3-0.6B-ONNX', { repo: 'onnx-community/Qwen3-0.6B-ONNX', revision: 'main' }],
  [' a/b_c.d@v1.0 ', { repo: 'a/b_c.d', revision: 'v1.0' }],
  [
    'a/b@0123456789abcdef0123456789abcdef01234567',
    { repo: 'a/b', revision: '0123456789abcdef0123456789abcdef01234567' },
  ],
])('reads %j', (text, ref) => {
  expect(parseHubId(text)).toEqual(ref);
});

it.each([
  'gpt2',
  '',
  '/b',
  'a/',
  'a/b/c',
  'a/b@',
  'a/b@x@y',
  'a/b@refs/pr/1',
  '../b',
  'a/..',
  'a/.',
  'a/b@..',
  'a/b c',
  'a/b?x=1',
  'https://huggingface.co/a/b',
  `a/${'b'.repeat(199)}`,
])('refuses %j', (text) => {
  expect(parseHubId(text)).toBeNull();
});

it('accepts 200 characters', () => {
  expect(parseHubId(`a/${'b'.repeat(198)}`)?.revision).toBe('main');
});

it.each([
  ['https://huggingface.co', 'https://huggingface.co'],
  [' https://hf-mirror.com/ ', 'https://hf-mirror.com'],
  ['https://mirror.test:8443/hub//', 'https://mirror.test:8443/hub'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ['http://huggingface.co', null],
  ['http://localhost.evil.test', null],
  ['huggingface.co', null],
  ['ftp://huggingface.co', null],
  ['javascript:alert(1)', null],
  ['https://user@huggingface.co', null],
  ['https://:secret@huggingface.co', null],
  ['https://huggingface.co?token=x', null],
  ['https://huggingface.co/#x', null],
  ['', null],
])('the host %j is %j', (text, host) => {
  expect(checkHost(text)).toBe(host);
});

it('knows a full commit hash, in either case', () => {
  expect(isCommit('0123456789abcdef0123456789ABCDEF01234567')).toBe(true);
  expect(isCommit('0123456')).toBe(false);
  expect(isCommit('main')).toBe(false);
});

it('writes the hub’s addresses', () => {
  expect(listingUrl('https://h.test', { repo: 'a/b', revision: 'main' })).toBe(
    'https://h.test/api/models/a/b/revision/main?blobs=true',
  );
  expect(fileUrl('https://h.test', 'a/b', 'c0ffee', 'onnx/model.onnx')).toBe(
    'https://h.test/a/b/resolve/c0ffee/onnx/model.onnx',
  );
});
