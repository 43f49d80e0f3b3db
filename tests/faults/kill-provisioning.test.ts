import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '../harness/full.ts';
import { killInOwnProject, testKills } from './kill-provisioning.ts';

// Sampled by default: each step and each engine call loses its process once, in the first of these modes that has it. TEST_FULL tries every
// point of every mode.
for (const mode of ['provision', 'deprovision', 'repair'] as const) describe(`a ${mode} whose service is killed`, () => testKills(mode));

describe('a recreate whose service is killed', () => {
  // A recreate is a deprovision and a provision, each tried by itself.
  if (isFull) testKills('recreate');

  it('while its own project is deleted or created ends with one project', async () => {
    assert.equal(await killInOwnProject('recreate', (name) => name === 'POST projects' || name === 'DELETE projects'), isFull ? 4 : 2);
  });
});
