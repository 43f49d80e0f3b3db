import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '#platform/ids.ts';
import { provisioningChanged } from './topic.ts';

it('a notice of a worker that an update has not replaced yet reaches those who follow the setup', () => {
  const sent = { partnerId: newId(), attemptId: newId() };
  assert.deepEqual(provisioningChanged.payload.parse(sent), { ...sent, clientId: null, what: 'step' });
});
