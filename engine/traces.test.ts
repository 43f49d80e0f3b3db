import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callerOf, createSpanWriter, type EndedSpan, placeBelow, placeOfRun } from './traces.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('the sender of an event', () => {
  it('is read from a header that says the trace is recorded', () => {
    assert.deepEqual(callerOf({ traceparent: `00-${TRACE}-${SPAN}-01` }), { traceId: TRACE, spanId: SPAN });
    assert.deepEqual(callerOf({ traceparent: `00-${TRACE}-${SPAN}-03` }), { traceId: TRACE, spanId: SPAN });
  });

  it('is none without the header, with another form of it, or when it says that the trace is not recorded', () => {
    for (const headers of [
      undefined,
      null,
      'x',
      {},
      { traceparent: 1 },
      { traceparent: `00-${TRACE}-${SPAN}-02` },
      { traceparent: `01-${TRACE}-${SPAN}-01` },
      { traceparent: `00-${TRACE}-${SPAN}` },
    ])
      assert.equal(callerOf(headers), undefined);
  });
});

describe('the place of a run', () => {
  it('is the same whenever the run is taken up, and its steps have places of their own', () => {
    const place = placeOfRun('VcM6iX62hyad9ZIbvQZtc', { traceId: TRACE, spanId: SPAN });
    assert.deepEqual(placeOfRun('VcM6iX62hyad9ZIbvQZtc', { traceId: TRACE, spanId: '0000000000000001' }), place);
    assert.match(place.spanId, /^[0-9a-f]{16}$/);
    const steps = [placeBelow(place), placeBelow(place)];
    assert.equal(new Set([place, ...steps].map(({ spanId }) => spanId)).size, 3);
    assert.ok(steps.every(({ traceId }) => traceId === TRACE));
  });
});

describe('ended spans', () => {
  const span: EndedSpan = {
    context: { traceId: TRACE, spanId: SPAN },
    parent: { traceId: TRACE, spanId: SPAN },
    name: 'x',
    startedAt: 1,
    endedAt: 2,
    attributes: {},
  };
  const stdout = (writableLength: number) => {
    const lines: string[] = [];
    return { lines, writableLength, write: (line: string | Uint8Array) => lines.push(String(line)) > 0 };
  };

  it('share lines, and the last ones are written at the end', () => {
    const to = stdout(0);
    const writer = createSpanWriter(to);
    for (let n = 0; n < 70; n += 1) writer.write(span);
    writer.close();
    assert.deepEqual(
      to.lines.map((line) => (JSON.parse(line) as { spans: unknown[] }).spans.length),
      [64, 6],
    );
  });

  it('are dropped while a megabyte waits for a parent that does not read', () => {
    const to = stdout(1024 * 1024);
    const writer = createSpanWriter(to);
    for (let n = 0; n < 70; n += 1) writer.write(span);
    writer.close();
    assert.deepEqual(to.lines, []);
  });
});
