import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readEventBody } from './read-event.ts';
import { createFileFilter } from './skip-files.ts';

const headers = { 'content-type': 'multipart/form-data; boundary="--x-1"' };
const BOUNDARY = '----x-1';
const part = (params: string, value: string) => `${BOUNDARY}\r\nContent-Disposition: form-data; ${params}\r\n\r\n${value}\r\n`;
const photo = `\r\n--x-1 is no delimiter\r\n${'\u0000\r\n\r\nJFIF--'.repeat(2_000)}`;
const form = Buffer.from(
  [
    part('name="a"', '1'),
    part('name="photo"; filename="roof.jpg"', photo),
    part('name="empty"; filename=""', ''),
    part('name="b; filename=c"', 'two\r\nlines'),
    part('filename="x"; name="last"', photo),
    part('name="c"', ''),
    `${BOUNDARY}--\r\n`,
  ].join(''),
);

function filtered(bytes: Buffer, step: number): Buffer {
  const filter = createFileFilter(headers);
  assert.ok(filter);
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) kept.push(filter.push(bytes.subarray(at, at + step)));
  return Buffer.concat([...kept, filter.end()]);
}

it('a form that arrives keeps its fields and one byte of each file, in chunks of any size', async () => {
  const whole = filtered(form, form.length);
  assert.ok(whole.length < 600, `${whole.length} bytes`);
  for (const step of [7, 64, 1_000, 65_536]) assert.deepEqual(filtered(form, step), whole);
  assert.deepEqual(filtered(form.subarray(0, 3_000), 1), filtered(form.subarray(0, 3_000), 3_000));
  const { value, remarks } = await readEventBody(whole, headers, true);
  assert.deepEqual(value, { a: '1', 'b; filename=c': 'two\r\nlines', c: '' });
  assert.deepEqual(remarks, ['2 files were left out: "roof.jpg", "x".']);
});

it('a file is known behind a folded header, and behind text before the first part', async () => {
  const folded = `${BOUNDARY}\r\nContent-Disposition: form-data;\r\n name="photo";\r\n\tfilename="roof.jpg"\r\n\r\n${photo}\r\n`;
  for (const before of ['', '\r\n', 'This is a multipart form.\r\n\r\n']) {
    const bytes = Buffer.from(`${before}${folded}${part('name="a"', '1')}${BOUNDARY}--\r\n`);
    const whole = filtered(bytes, bytes.length);
    assert.ok(whole.length < 400 && whole.toString().startsWith(`${before}${BOUNDARY}`), `${whole.length} bytes`);
    for (const step of [1, 7, 1_000]) assert.deepEqual(filtered(bytes, step), whole);
    assert.deepEqual(
      (await readEventBody(filtered(Buffer.from(`${folded}${part('name="a"', '1')}${BOUNDARY}--\r\n`), 50), headers, true)).value,
      { a: '1' },
    );
  }
});

it('a form without files, and one that is broken off or has no end of its headers, stays as it came', () => {
  const fields = Buffer.from(`${part('name="a"', 'x'.repeat(9_000))}${BOUNDARY}--\r\n`);
  for (const step of [1, 100, 10_000]) {
    assert.deepEqual(filtered(fields, step), fields);
    assert.deepEqual(filtered(fields.subarray(0, 5_000), step), fields.subarray(0, 5_000));
    assert.deepEqual(filtered(Buffer.alloc(9_000, 'x'), step), Buffer.alloc(9_000, 'x'));
  }
});

it('only a plain multipart form with a boundary is filtered', () => {
  for (const other of [
    { 'content-type': 'application/json' },
    { 'content-type': 'multipart/form-data' },
    { ...headers, 'content-encoding': 'gzip' },
    {},
  ])
    assert.equal(createFileFilter(other), null);
});

it('a part whose headers are too long, or whose name is in a quote that is not closed, is kept as a field is', () => {
  const long = part(`name="${'a'.repeat(4_200)}"; filename="x"`, photo);
  const open = part('name="\\"; filename=x', photo);
  for (const hostile of [long, open]) {
    const bytes = Buffer.from(`${hostile}${BOUNDARY}--\r\n`);
    for (const step of [100, 65_536, bytes.length]) assert.ok(filtered(bytes, step).equals(bytes), `in steps of ${step}`);
  }
});

it('a form keeps all that comes after as many parts as are read', () => {
  const parts = part('name="a"', '1').repeat(1_001);
  const file = part('name="photo"; filename="roof.jpg"', photo);
  const bytes = Buffer.from(`${parts}${file}${BOUNDARY}--\r\n`);
  for (const step of [1_000, bytes.length]) assert.ok(filtered(bytes, step).equals(bytes), `in steps of ${step}`);
  assert.ok(filtered(Buffer.from(`${file}${parts}`), 65_536).length < parts.length + 200);
});

it('a boundary that is longer than one may be leaves a form as it is', () => {
  const of = (length: number) => createFileFilter({ 'content-type': `multipart/form-data; boundary=${'a'.repeat(length)}` });
  assert.ok(of(70));
  assert.equal(of(71), null);
});
