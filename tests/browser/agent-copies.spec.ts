import { test } from './pages.ts';
import { type Api, expect } from './portal.ts';

const OAK = 'Oak Street Dental';
const textBack = async (api: Api) => {
  const { data } = await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } });
  const found = data.find((one) => one.clientName === OAK);
  if (!found) throw new Error('The demo has an agent for missed calls.');
  return found;
};

test('an agent is copied to another client after a preview of what that client gets', async ({ as, api }) => {
  const source = await textBack(api);
  const target = await api.owner.createClient({
    body: { name: 'Harbor Yoga', businessProfile: { bookingUrl: 'https://harbor.example/book' } },
  });
  const page = await as('owner', `/dashboard/agents/${source.id}`);
  await page.getByRole('button', { name: 'Copy to clients' }).click();
  const dialog = page.getByRole('dialog', { name: /^Copy .* to other clients$/ });
  await expect(dialog.getByRole('checkbox', { name: OAK })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: 'Harbor Yoga' }).check();
  const preview = dialog.getByRole('region', { name: 'What each client gets' });
  await expect(preview).toContainText('Ready to install');
  await preview.getByText(/settings? differs?/).click();
  await expect(preview).toContainText('https://harbor.example/book, from the client’s business profile');
  await dialog.getByRole('button', { name: 'Request 1 copy' }).click();
  await expect(page.getByText('1 request submitted.').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Submitted' }).getByRole('button', { name: /Harbor Yoga/ })).toBeVisible();
  const { data } = await api.owner.listAgentRequests({ query: { clientId: target.id } });
  expect(data.map((one) => [one.templateName, one.status, 'bookingUrl' in one.config])).toEqual([
    ['missed-call-text-back', 'submitted', false],
  ]);
});
