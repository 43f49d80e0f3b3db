import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contextOfRun, parseTraceparent, traceparentOf } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('the place of a run’s first span', () => {
  it('follows from the id of the run, and is a valid one', () => {
    const context = contextOfRun('0199D3A0-1B2C-7D3E-8F40-112233445566');
    assert.deepEqual(context, { traceId: '0199d3a01b2c7d3e8f40112233445566', spanId: '8f40112233445566' });
    assert.deepEqual(parseTraceparent(traceparentOf(context)), context);
  });
});

describe('a header traceparent', () => {
  it('is read in version 00, sampled or not', () => {
    for (const flags of ['00', '01', 'ff'])
      assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-${flags}`), { traceId: TRACE, spanId: SPAN });
  });

  it('of a later version is read as far as it is known', () => {
    assert.deepEqual(parseTraceparent(`cc-${TRACE}-${SPAN}-01`), { traceId: TRACE, spanId: SPAN });
    assert.deepEqual(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`), { traceId: TRACE, spanId: SPAN });
  });

  for (const [what, header] of [
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['of version ff', `ff-${TRACE}-${SPAN}-01`],
    ['of version 00 with more', `00-${TRACE}-${SPAN}-01-more`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['joined from two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ] as const)
    it(`${what} is none`, () => assert.equal(parseTraceparent(header), null));
});
