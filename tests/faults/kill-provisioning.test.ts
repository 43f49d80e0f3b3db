import { describe, it } from 'node:test';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import { isFull } from '../harness/full.ts';
import { killAtEachCall, killAtEachStep, killAtProjectCalls } from './kill-provisioning.ts';

// One kill for all kinds of steps and one for all kinds of engine calls: the partners are at one point each when the service dies. TEST_FULL tries
// every point of every mode. A recreate is a deprovision and a provision; a repair makes no call that the other modes do not make.
const MODES: readonly AttemptMode[] = isFull ? ['provision', 'deprovision', 'repair', 'recreate'] : ['provision', 'deprovision', 'repair'];

describe('a setup whose service is killed', () => {
  it('before or after the work of any step is ended at the restart, and the next attempt leaves everything once', (context) =>
    killAtEachStep(MODES, context));

  it('during any engine call, before or after the engine has done it, leaves nothing twice either', (context) =>
    killAtEachCall(isFull ? MODES : ['provision', 'deprovision'], context));

  // In process, teardown.test.ts loses these calls.
  if (isFull) it('while its own project is deleted or created ends with one project', killAtProjectCalls);
});
