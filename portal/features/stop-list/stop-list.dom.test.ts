import { test } from 'node:test';
import { open, reads, screen } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

test('the stop list promises of a number that no texts reach it, and of an address that no e-mails do', async () => {
  const listStopList = { data: [row('listStopList', { contact: '+13125550148' })], nextCursor: null };
  const main = () => screen.findByRole('main');
  for (const [locale, lead] of [
    ['en', /A number on this list gets no texts from your agents, and an e-mail address gets no e-mails\./],
    ['de', /Eine Nummer auf dieser Liste erhält keine SMS von Ihren Agenten, und eine E-Mail-Adresse erhält keine E-Mails\./],
    ['es', /Un número de esta lista no recibe SMS de sus agentes, y una dirección de correo no recibe correos\./],
  ] as const) {
    await open('client', '/client/stop-list', { listStopList }, {}, { locale });
    await reads(await main(), lead);
  }
  await open('owner', `/dashboard/clients/${idOf(2)}?tab=stop-list`, { listStopList });
  await reads(await main(), /A number here gets no texts from agents of .+, and an e-mail address gets no e-mails\./);
});
