import { describe } from 'node:test';
import { shareDemo } from '../harness/demo.ts';
import { testBadInput } from './every-route/bad-input.ts';
import { testEveryId } from './every-route/every-id.ts';
import { testHostileBodies } from './every-route/hostile-bodies.ts';
import { testOneCaller } from './every-route/one-caller.ts';
import { testRoleMatrix } from './every-route/role-matrix.ts';
import { testTenantIsolation } from './every-route/tenant-isolation.ts';
import { testTogether } from './every-route/together.ts';
import { testUnknownZone } from './every-route/unknown-zone.ts';

// Walks of the whole route table on one system: first those that compare what is stored before and after, last those that end sessions
// and change every row.
const open = shareDemo();

describe('every id', () => testEveryId(open));
// Records attempts of strangers, which may then see the ids that they sent.
describe('tenant isolation', () => testTenantIsolation(open));
describe('bad input', () => testBadInput(open));
describe('together', () => testTogether(open));
describe('one caller', () => testOneCaller(open));
describe('hostile bodies', () => testHostileBodies(open));
describe('the role matrix', () => testRoleMatrix(open));
describe('an unknown time zone', () => testUnknownZone(open));
