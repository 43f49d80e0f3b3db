import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { AppError } from '../refuse.ts';
import { readEventBody, readJsonField } from './read-event.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const read = (bytes: Buffer | string, type = JSON_TYPE) =>
  readEventBody(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { 'content-type': type });
const valueOf = async (bytes: Buffer | string, type = JSON_TYPE) => (await read(bytes, type)).value;

async function refusalOf(bytes: Buffer | string, type = JSON_TYPE): Promise<AppError> {
  const error: unknown = await read(bytes, type).then(
    () => assert.fail('it was read'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AppError, String(error));
  return error;
}

describe('numbers of an event', () => {
  const EXACT: [text: string, value: unknown][] = [
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['123456789012345', 123_456_789_012_345],
    ['41.87811359999999', 41.878_113_599_999_99],
    ['0.10000000000000000555', '0.10000000000000000555'],
    ['1234567890123.12345', '1234567890123.12345'],
    ['12.5000000000000000000', 12.5],
    ['1e5', 100_000],
    ['1.25E+1', 12.5],
    ['1e308', 1e308],
    ['1e-400', '1e-400'],
    ['0e400', 0],
    ['0.000', 0],
    ['[1,9007199254740993,3]', [1, '9007199254740993', 3]],
  ];
  for (const [text, value] of EXACT) {
    it(`stay what they were: ${text}`, async () => assert.deepEqual(await valueOf(`{"n":${text},"after":"é"}`), { n: value, after: 'é' }));
  }

  it('beyond every double are refused with the path and the value', async () => {
    for (const number of ['1e400', '-1e400', `1${'0'.repeat(400)}`]) {
      const { code, extras } = await refusalOf(`{"order":{"items":[{"total":${number}}]}}`);
      assert.equal(code, 'validation_failed');
      assert.equal(extras.errors?.[0]?.field, 'order.items.0.total');
      assert.ok(extras.errors?.[0]?.message.startsWith(number.slice(0, 40)));
      assert.match(extras.detail ?? '', /order\.items\.0\.total/);
    }
    assert.deepEqual(await valueOf('{"total":"1e400"}'), { total: '1e400' });
  });

  it('that are none are refused as JSON, however long', async () => {
    for (const text of ['01234567890123456789', '1234567890123456789.', '-', '12345678901234567890e', '--12345678901234567890'])
      assert.equal((await refusalOf(`{"n":${text}}`)).code, 'malformed_json', text);
  });

  it('are not looked for in texts', async () => {
    const event = { '9007199254740993': 'call 9007199254740993, 1e400 "1e400"' };
    assert.deepEqual(await valueOf(JSON.stringify(event)), event);
  });
});

describe('a member that came twice', () => {
  it('has its last value and a remark with its path', async () => {
    const { value, remarks } = await read('{"a":1,"b":{"c":1,"c":2,"d":3},"l":[{"x":1},{"x":1,"\\u0078":2}],"a":4}');
    assert.deepEqual(value, { a: 4, b: { c: 2, d: 3 }, l: [{ x: 1 }, { x: 2 }] });
    assert.deepEqual(remarks, ['"b.c", "l.1.x", "a" came more than once. The last value counts.']);
  });

  it('has none where the names stand in different objects', async () => {
    assert.deepEqual((await read('{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":"a","c":"a"}}')).remarks, []);
  });

  it('that is a prototype is left out', async () => {
    const { value } = await read('{"__proto__":{"admin":true},"a":{"\\u005f_proto__":1,"b":2}}');
    assert.equal(JSON.stringify(value), '{"a":{"b":2}}');
  });
});

describe('the characters of a JSON event', () => {
  const event = { name: 'Łukasz Müller 🎉' };
  const text = JSON.stringify(event);
  const big = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
  const utf16 = Buffer.from(text, 'utf16le');
  const CASES: [what: string, bytes: Buffer, type: string][] = [
    ['UTF-8', Buffer.from(text), JSON_TYPE],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), JSON_TYPE],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'application/json; charset=utf-16'],
    ['big-endian UTF-16 with a byte order mark', big(Buffer.from(`\uFEFF${text}`, 'utf16le')), JSON_TYPE],
    ['UTF-16 without a mark', utf16, JSON_TYPE],
    ['big-endian UTF-16 without a mark', big(utf16), JSON_TYPE],
    ['UTF-8 that is called Latin 1', Buffer.from(text), 'application/json; charset=iso-8859-1'],
    ['UTF-8 with a quoted charset', Buffer.from(text), 'application/vnd.api+json; Charset="UTF-8"'],
  ];
  for (const [what, bytes, type] of CASES) it(`are read as ${what}`, async () => assert.deepEqual(await valueOf(bytes, type), event));

  it('are read by the charset of the Content-Type where they are no UTF-8', async () => {
    const latin = Buffer.from('{"name":"Jos\u00e9 Mu\u00f1oz"}', 'latin1');
    assert.deepEqual(await valueOf(latin, 'application/json; charset=ISO-8859-1'), { name: 'José Muñoz' });
    const { value, remarks } = await read(latin);
    assert.deepEqual(value, { name: 'Jos\uFFFD Mu\uFFFDoz' });
    assert.match(remarks[0] ?? '', /no UTF-8/);
  });

  it('in a charset that is unknown are refused with its name', async () => {
    const { code, extras } = await refusalOf('{}', 'application/json; charset=ebcdic-x');
    assert.equal(code, 'unsupported_media_type');
    assert.match(extras.detail ?? '', /"ebcdic-x"/);
  });
});

describe('the root of an event', () => {
  it('is an object or a list of objects', async () => {
    assert.deepEqual(await valueOf('[{"a":1},{"a":2}]'), [{ a: 1 }, { a: 2 }]);
    for (const text of ['[]', '[1]', '[{},null]', '[[{}]]', '"x"', '7', 'null', 'true'])
      assert.equal((await refusalOf(text)).code, 'validation_failed', text);
    for (const text of ['', '{', '{}{}', "{'a':1}", '<a/>']) assert.equal((await refusalOf(text)).code, 'malformed_json', text);
  });
});

describe('a form', () => {
  const form = (text: string, charset = '') => read(Buffer.from(text, 'latin1'), FORM_TYPE + charset);
  const fieldsOf = async (text: string, charset = '') => (await form(text, charset)).value;

  it('has its fields as texts, in UTF-8', async () => {
    assert.deepEqual(await fieldsOf('a=1+2&b=M%C3%BCller&c=&d&=x&e=%F0%9F%8E%89&f=100%25&g=%zz&h=a=b'), {
      a: '1 2',
      b: 'Müller',
      c: '',
      d: '',
      e: '🎉',
      f: '100%',
      g: '%zz',
      h: 'a=b',
    });
  });

  it('may begin with a byte order mark', async () => {
    assert.deepEqual(await fieldsOf('\u00ef\u00bb\u00bfFrom=%2B1'), { From: '+1' });
    assert.deepEqual(await fieldsOf('%EF%BB%BFFrom=%2B1'), { From: '+1' });
  });

  it('has the charset that its Content-Type or its field _charset_ names', async () => {
    for (const charset of ['iso-8859-1', 'windows-1252', '"ISO-8859-1"'])
      assert.deepEqual(await fieldsOf('n=M%FCller+%80', `; charset=${charset}`), { n: 'Müller €' }, charset);
    assert.deepEqual(await fieldsOf('n=%83%4A%83%69', '; charset=shift_jis'), { n: 'カナ' });
    assert.deepEqual(await fieldsOf('n=%B3%F3d%BC&_charset_=iso-8859-2'), { n: 'łódź', _charset_: 'iso-8859-2' });
    assert.deepEqual(await fieldsOf('n=%C3%A9', '; charset=utf-8'), { n: 'é' });
    assert.equal((await refusalOf('n=x', `${FORM_TYPE}; charset=klingon`)).code, 'unsupported_media_type');
    assert.equal((await refusalOf('n=x&_charset_=klingon', FORM_TYPE)).code, 'unsupported_media_type');
  });

  it('that is no UTF-8 and names no charset is read as windows-1252, with a remark', async () => {
    const { value, remarks } = await form('n=M%FCller&city=K%C3%B6ln');
    assert.deepEqual(value, { n: 'Müller', city: 'Köln' });
    assert.match(remarks[0] ?? '', /windows-1252/);
    assert.deepEqual((await form('n=M%C3%BCller')).remarks, []);
  });

  it('has repeated fields and those with [] as lists', async () => {
    assert.deepEqual(await fieldsOf('service=a&service=b&tag[]=x&tag[]=y&one[]=z&tag%5B%5D=w'), {
      service: ['a', 'b'],
      tag: ['x', 'y', 'w'],
      one: ['z'],
    });
    assert.deepEqual(await fieldsOf('a=1&a[]=2'), { a: ['1', '2'] });
  });

  it('has fields with names in brackets as members, and everything else under its own name', async () => {
    assert.deepEqual(await fieldsOf('a[first]=Ada&a[last]=Byron&l[0][x]=1&l[0][y]=2&l[1][x]=3'), {
      a: { first: 'Ada', last: 'Byron' },
      l: [{ x: '1', y: '2' }, { x: '3' }],
    });
    assert.deepEqual(await fieldsOf('box[1]=on&box[3]=on'), { box: { 1: 'on', 3: 'on' } }, 'positions that leave some out');
    for (const name of ['a.b', 'a[', 'a]', '[x]', 'a[b]c', 'a[b][c][d][e][f]', `a[${'x'.repeat(300)}]`])
      assert.deepEqual(await fieldsOf(`${encodeURIComponent(name)}=1`), { [name]: '1' }, name);
    assert.deepEqual(await fieldsOf('a=1&a[b]=2'), { a: '1', 'a[b]': '2' }, 'a text is in the way');
  });

  it('cannot change what an object is', async () => {
    const value = await fieldsOf('__proto__=x&__proto__[admin]=1&a[__proto__][admin]=1&a[constructor]=c&constructor=d');
    assert.deepEqual(JSON.stringify(value), '{"__proto__[admin]":"1","a":{"constructor":"c"},"constructor":"d"}');
    assert.equal(({} as { admin?: unknown }).admin, undefined); // what an attack would add
  });

  it('has at most a thousand fields, also without names', async () => {
    const of = (field: string, count: number): string => Array.from({ length: count }, (_, at) => field.replace('n', String(at))).join('&');
    assert.equal(Object.keys(await fieldsOf(of('fn=x', 1_000))).length, 1_000);
    for (const field of ['fn=x', 'f=x', 'a[n][b]=', '=', ''])
      assert.equal((await refusalOf(Buffer.from(of(field, 1_001)), 'application/x-www-form-urlencoded')).code, 'too_large', field);
  });
});

describe('a form in parts', () => {
  const BOUNDARY = '----x';
  const part = (name: string, value: string, more = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const multipart = (...parts: string[]): Buffer => Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
  const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

  it('is read like a form', async () => {
    assert.deepEqual(
      await valueOf(multipart(part('name', 'Müller'), part('tag[]', 'a'), part('tag[]', 'b'), part('text', 'two\r\nlines')), TYPE),
      {
        name: 'Müller',
        tag: ['a', 'b'],
        text: 'two\r\nlines',
      },
    );
  });

  it('may have a file that was not chosen, and none that holds something', async () => {
    const empty = part('photo', '', '; filename=""\r\nContent-Type: application/octet-stream');
    assert.deepEqual(await valueOf(multipart(part('a', '1'), empty), TYPE), { a: '1' });
    const { code, extras } = await refusalOf(multipart(part('a', '1'), part('photo', 'bytes', '; filename="roof.jpg"')), TYPE);
    assert.equal(code, 'unsupported_media_type');
    assert.match(extras.detail ?? '', /without files.*"photo".*"roof\.jpg"/);
  });

  it('is read without its files where these are left out, with their names', async () => {
    const file = (name: string) => part('attachment', 'bytes', `; filename="${name}"\r\nContent-Type: image/png`);
    const empty = part('photo', '', '; filename=""\r\nContent-Type: application/octet-stream');
    const of = (...parts: string[]) => readEventBody(multipart(...parts), { 'content-type': TYPE }, true);
    const { value, remarks } = await of(part('a', '1'), file('logo.png'), empty, file('Müller.pdf'), part('b', '2'));
    assert.deepEqual([value, remarks], [{ a: '1', b: '2' }, ['2 files were left out: "logo.png", "Müller.pdf".']]);
    assert.deepEqual((await of(part('a', '1'), file('logo.png'))).remarks, ['A file was left out: "logo.png".']);
    assert.deepEqual((await of(part('a', '1'), empty)).remarks, []);
  });

  it('has the charset that its fields name', async () => {
    const latin = (name: string, value: string) => Buffer.from(part(name, value), 'latin1');
    const end = Buffer.from(`--${BOUNDARY}--\r\n`);
    const charsets = Buffer.from(part('charsets', '{"subject":"UTF-8","text":"iso-8859-2"}'));
    const mail = Buffer.concat([charsets, Buffer.from(part('subject', 'Grüße')), latin('text', '\u00b3\u00f3d\u00bc'), end]);
    assert.deepEqual(await valueOf(mail, TYPE), { charsets: '{"subject":"UTF-8","text":"iso-8859-2"}', subject: 'Grüße', text: 'łódź' });
    const own = Buffer.concat([Buffer.from(part('_charset_', 'windows-1252')), latin('n', 'M\u00fcller'), end]);
    assert.deepEqual(await valueOf(own, TYPE), { _charset_: 'windows-1252', n: 'Müller' });
    const { value, remarks } = await read(Buffer.concat([latin('n', 'M\u00fcller'), end]), TYPE);
    assert.deepEqual(value, { n: 'Müller' });
    assert.match(remarks[0] ?? '', /windows-1252/);
  });

  it('that is broken or has no boundary is refused', async () => {
    assert.equal((await refusalOf(multipart(part('a', '1')).subarray(0, -10), TYPE)).code, 'validation_failed');
    assert.equal((await refusalOf(multipart(part('a', '1')), 'multipart/form-data')).code, 'validation_failed');
  });

  it('has at most a thousand fields', async () => {
    const of = (count: number): Buffer => multipart(...Array.from({ length: count }, (_, at) => part(`f${at}`, 'x')));
    assert.equal(Object.keys(await valueOf(of(1_000), TYPE)).length, 1_000);
    assert.equal((await refusalOf(of(1_001), TYPE)).code, 'too_large');
  });
});

describe('the JSON in a field of a form', () => {
  it('is read as a body is', () => {
    assert.deepEqual(readJsonField(' {"id":9007199254740993,"a":1,"a":2} '), {
      value: { id: '9007199254740993', a: 2 },
      remarks: ['"a" came more than once. The last value counts.'],
    });
    assert.equal(readJsonField('{not json}'), null);
    assert.equal(readJsonField('[1]'), null);
  });
});

describe('the largest bodies', () => {
  /** Each costs at most some multiples of the plain parse, which a counter of steps would not show: a quadratic one would take minutes. */
  const size = LIMITS.eventBytesMax;
  const fill = (start: string, piece: (at: number) => string, end: string): string => {
    const pieces: string[] = [start];
    for (let at = 0, length = start.length + end.length; ; at++) {
      const next = piece(at);
      length += next.length;
      if (length > size) return pieces.join('') + end;
      pieces.push(next);
    }
  };
  const HOSTILE: [what: string, type: string, text: string][] = [
    ['one member again and again', JSON_TYPE, fill('{', () => '"a":1,', '"a":1}')],
    ['long names that begin alike', JSON_TYPE, fill('{', (at) => `"${'a'.repeat(20)}${at}":1,`, '"z":1}')],
    ['one number of all digits', JSON_TYPE, fill('{"n":1', () => '0123456789', '}')],
    ['one number of zeros after the point', JSON_TYPE, fill('{"n":0.', () => '0000000000', '1}')],
    ['long numbers', JSON_TYPE, fill('[', () => '9007199254740993,', '1]')],
    ['numbers with exponents', JSON_TYPE, fill('{"a":[', () => '1e30,', '1]}')],
    ['prototypes', JSON_TYPE, fill('{', () => '"__proto__":1,', '"a":1}')],
    ['one field again and again', FORM_TYPE, fill('', () => 'aaa=1&', '')],
    ['items of a list', FORM_TYPE, fill('', () => 'aa[]=1&', '')],
    ['brackets', FORM_TYPE, fill('', () => 'a[b][c][][d]=1&', '')],
    ['one name of brackets', FORM_TYPE, fill('a', () => '[x]', '=1')],
    ['percent signs', FORM_TYPE, fill('a=', () => '%', '')],
  ];
  for (const [what, type, text] of HOSTILE) {
    it(`of ${what} are read or refused in bounded work`, async () => {
      assert.ok(text.length > size - 100);
      const outcome = await read(text, type).then(
        ({ value }) => (Array.isArray(value) ? 'list' : 'object'),
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
      assert.ok(['list', 'object', 'too_large', 'validation_failed'].includes(outcome), outcome);
    });
  }
});
