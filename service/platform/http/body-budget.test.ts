import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bodyLimitOf, type RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { AppError } from '../refuse.ts';
import { BODY_BUDGETS, type BodyShare, createBodyBudget } from './body-budget.ts';

const KIB = 1024;
const { totalMax, perSenderMax } = BODY_BUDGETS.tenant;

/** Takes as much as is given, and returns it. */
function fill(share: BodyShare): number {
  let taken = 0;
  for (;;)
    try {
      share.take(64 * KIB);
      taken += 64 * KIB;
    } catch (error) {
      assert.ok(error instanceof AppError);
      return taken;
    }
}

it('one sender holds all that is its own, and two or three leave room for the bodies of another', () => {
  const budget = createBodyBudget();
  const held = [1, 2, 3].map((n) => {
    const share = budget.share({ budget: 'tenant', key: `ingest ${n}` });
    return { share, taken: fill(share) };
  });
  assert.equal(held[0]?.taken, perSenderMax);
  const free = totalMax - held.reduce((sum, { taken }) => sum + taken, 0);
  assert.ok(free >= 2 * KIB * KIB, `${free} bytes are free`);
  using other = budget.share({ budget: 'tenant', key: 'agency', part: 'user' });
  other.take(KIB * KIB);
  for (const { share } of held) share[Symbol.dispose]();
  using again = budget.share({ budget: 'tenant', key: 'ingest 4' });
  assert.equal(fill(again), perSenderMax);
});

it('the largest body of each route fits what one sender may have in flight', () => {
  const mostOf = ({ access: { kind } }: RouteShape): number => {
    if (kind === 'public') return BODY_BUDGETS.anonymous.perSenderMax;
    return kind === 'callback' ? BODY_BUDGETS.system.perSenderMax : (BODY_BUDGETS.tenant.perPartMax ?? perSenderMax);
  };
  const tooLarge = Object.values<RouteShape>(routes).filter((route) => bodyLimitOf(route) > mostOf(route));
  assert.deepEqual(
    tooLarge.map(({ path }) => path),
    [],
  );
});
