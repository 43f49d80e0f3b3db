import { describe } from 'node:test';
import { shareDemo } from '../harness/demo.ts';
import { testTenantIsolation } from './every-route/tenant-isolation.ts';

// A walk of the whole route table of its own: every test run has it, while the others take turns (scripts/testing/turns.ts).
const open = shareDemo();

describe('tenant isolation', () => testTenantIsolation(open));
