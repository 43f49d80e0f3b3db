import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceParam, idParam, oneOf, onlySet, searchParser, textParam } from './search-params.ts';

test('valid parameters are kept and invalid ones dropped, so that old links still open', () => {
  assert.equal(idParam('01a1fe24-f867-7532-aedf-9094b0661e6f'), '01a1fe24-f867-7532-aedf-9094b0661e6f');
  assert.equal(idParam('01a1fe24'), undefined);
  assert.equal(idParam(7), undefined);
  assert.equal(choiceParam(['today', '7d'], '7d'), '7d');
  assert.equal(choiceParam(['today', '7d'], 'yesterday'), undefined);
  assert.equal(textParam('  '), undefined);
  assert.equal(textParam('oak'), 'oak');
  assert.equal(textParam('x'.repeat(500))?.length, 120);
});

test('a URL has no parameters without a value', () => {
  assert.deepEqual(onlySet({ q: undefined, status: 'FAILED' }), { status: 'FAILED' });
});

test('each parameter of a page has its own parser, and unknown ones are left out', () => {
  const parse = searchParser({ q: textParam, status: oneOf(['active', 'archived']), client: idParam });
  assert.deepEqual(parse({ q: 'oak', status: 'active', other: 'x' }), { q: 'oak', status: 'active' });
  assert.deepEqual(parse({ q: ' ', status: 'lost', client: '7' }), {});
});
