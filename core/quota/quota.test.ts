import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeQuota, wholePercent } from './quota.ts';

const facts = {
  used: 100,
  inFlight: 5,
  monthly: 300,
  purchased: 100,
  periodStart: new Date('2026-03-01T00:00:00.000Z'),
  periodEnd: new Date('2026-04-01T00:00:00.000Z'),
  endsAt: null,
};
const day = (n: number): Date => new Date(facts.periodStart.getTime() + n * 86_400_000);

describe('the meter', () => {
  it('counts runs in flight as taken', () => {
    const view = describeQuota(facts, day(10));
    assert.equal(view.limit, 400);
    assert.equal(view.remaining, 295);
    assert.equal(view.percent, 25);
    assert.equal(describeQuota({ ...facts, used: 399 }, day(10)).remaining, 0);
  });

  it('exceeds 100 percent when AI tokens use more than the limit', () => {
    const view = describeQuota({ ...facts, used: 500 }, day(10));
    assert.deepEqual([view.percent, view.remaining], [125, 0]);
  });

  it('is not at 100 percent while credits are left', () => {
    for (const [used, limit, percent] of [
      [19_992, 20_000, 99],
      [1_692, 2_000, 84],
      [20_000, 20_000, 100],
    ] as const)
      assert.equal(wholePercent(describeQuota({ ...facts, used, monthly: limit, purchased: 0 }, day(10)).percent), percent);
  });

  it('forecasts the day on which the credits run out, at the pace so far', () => {
    assert.equal(describeQuota(facts, day(5)).forecastDate, day(20).toISOString());
  });

  it('says nothing when the credits last, are gone, or too little has happened', () => {
    assert.equal(describeQuota(facts, day(10)).forecastDate, null);
    assert.equal(describeQuota({ ...facts, used: 400 }, day(10)).forecastDate, null);
    assert.equal(describeQuota({ ...facts, used: 0 }, day(10)).forecastDate, null);
    assert.equal(describeQuota({ ...facts, used: 399 }, new Date(facts.periodStart.getTime() + 60_000)).forecastDate, null);
  });

  it('ends with a subscription that ends within the period, after which no forecast reaches', () => {
    const at = (n: number) => describeQuota({ ...facts, endsAt: day(n) }, day(5));
    assert.deepEqual([at(25).endsAt, at(25).forecastDate], [day(25).toISOString(), day(20).toISOString()]);
    assert.deepEqual([at(14).endsAt, at(14).forecastDate], [day(14).toISOString(), null]);
    assert.deepEqual([at(31).endsAt, at(40).endsAt], [day(31).toISOString(), null]);
  });

  it('has a percentage even without any allowance', () => {
    assert.equal(describeQuota({ ...facts, monthly: 0, purchased: 0 }, day(1)).percent, 100);
    assert.equal(describeQuota({ ...facts, used: 0, monthly: 0, purchased: 0 }, day(1)).percent, 0);
  });
});
