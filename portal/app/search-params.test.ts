import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceParam, idParam, onlySet, textParam } from './search-params.ts';

test('an address keeps what fits and drops what does not, so an old link still opens', () => {
  assert.equal(idParam('01a1fe24-f867-7532-aedf-9094b0661e6f'), '01a1fe24-f867-7532-aedf-9094b0661e6f');
  assert.equal(idParam('01a1fe24'), undefined);
  assert.equal(idParam(7), undefined);
  assert.equal(choiceParam(['today', '7d'], '7d'), '7d');
  assert.equal(choiceParam(['today', '7d'], 'yesterday'), undefined);
  assert.equal(textParam('  '), undefined);
  assert.equal(textParam('oak'), 'oak');
  assert.equal(textParam('x'.repeat(500))?.length, 120);
});

test('an address carries no parameter without a value', () => {
  assert.deepEqual(onlySet({ q: undefined, status: 'FAILED' }), { status: 'FAILED' });
});
