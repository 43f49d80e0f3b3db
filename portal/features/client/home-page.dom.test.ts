import { test } from 'node:test';
import { open, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

test('a month without results reads that the agents are ready only where one is on', async () => {
  const summary = reply('getMyClientSummary', { resultsMonth: 0, hoursSavedMonth: 0, previous: null });
  const agent = reply('getAgent', { name: 'Text back', clientStatus: 'active', installed: true, isActive: true });
  for (const [agents, words] of [
    [[], /^No results in \w+ so far$/],
    [[{ ...agent, isActive: false }], /^No results in \w+ so far$/],
    [[agent], /^Your agents are ready for \w+\.$/],
  ] as const) {
    await open('client', '/client', { getMyClientSummary: { ...summary, agents: [...agents] } });
    await see(words);
  }
});
