import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillTraceUrl, traceUrlProblem } from './trace-url.ts';

const ID = '0af7651916cd43dd8448eb211c80319c';

describe('the template of a trace’s address', () => {
  for (const [template, address] of [
    ['https://traces.example.com/trace/{traceId}', `https://traces.example.com/trace/${ID}`],
    ['http://localhost:16686/trace/{traceId}?uiFind=x', `http://localhost:16686/trace/${ID}?uiFind=x`],
    ['https://grafana.example.com/explore?trace=%22{traceId}%22&org=1', `https://grafana.example.com/explore?trace=%22${ID}%22&org=1`],
  ] as const)
    it(`${template} is filled`, () => {
      assert.equal(traceUrlProblem(template), null);
      assert.equal(fillTraceUrl(template, ID), address);
    });

  for (const [what, template, problem] of [
    ['without the place', 'https://traces.example.com/', /exactly once/],
    ['with two places', 'https://traces.example.com/{traceId}/{traceId}', /exactly once/],
    ['of another scheme', 'javascript:alert("{traceId}")', /http or https/],
    ['without a scheme', 'traces.example.com/{traceId}', /http or https/],
    ['that is no address', 'https://exa mple/{traceId}', /http or https/],
    ['with a password', 'https://me:secret@traces.example.com/{traceId}', /without a user name/],
    ['with the place in the host', 'https://{traceId}.example.com/', /part of the host/],
  ] as const)
    it(`${what} is refused`, () => assert.match(traceUrlProblem(template) ?? '', problem));
});
