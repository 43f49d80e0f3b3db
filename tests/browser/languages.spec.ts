import { agent, test } from './pages.ts';
import { expect, expectLoaded, expectNoSidewaysScroll } from './portal.ts';

const HEADINGS = {
  de: { '/client/activity': 'Aktivität', '/client/agents': 'Ihre Agenten', '/client/business': 'Ihr Unternehmen', '/client/integrations': 'Dienste', '/client/suggestions': 'Vorschläge', '/client/settings': 'Einstellungen' }, // prettier-ignore
  es: { '/client/activity': 'Actividad', '/client/agents': 'Sus agentes', '/client/business': 'Su empresa', '/client/integrations': 'Servicios', '/client/suggestions': 'Sugerencias', '/client/settings': 'Ajustes' }, // prettier-ignore
};
const STATES = { de: 'Zuletzt|Eingeschaltet|Pausiert|Wird eingerichtet', es: 'Activado|En pausa|En preparación' };

test('a language chosen in the profile applies at once', async ({ as, page, api }) => {
  await as('client', '/client/settings');
  try {
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
    await expect(page.getByText('Profil gespeichert.')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  } finally {
    await api.client.updateMe({ body: { locale: 'en-US' } });
  }
});

for (const language of ['de', 'es'] as const)
  test(`the client's face is in the reader's language on every page, and fits a phone: ${language}`, async ({ as, page, api }) => {
    await api.client.updateMe({ body: { locale: language } });
    try {
      await as('client', '/client/settings');
      await page.evaluate((locale) => {
        const key = 'portal.session';
        const session = JSON.parse(sessionStorage.getItem(key) ?? '{}') as { user: object };
        sessionStorage.setItem(key, JSON.stringify({ ...session, user: { ...session.user, locale } }));
      }, language);
      await page.setViewportSize({ width: 390, height: 844 });
      for (const [path, heading] of Object.entries(HEADINGS[language])) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
        await expectLoaded(page);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expectNoSidewaysScroll(page);
      }
      await page.goto(`/client/agents/${await agent(api)}`);
      await expect(page.getByText(new RegExp(STATES[language])).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
    } finally {
      await api.client.updateMe({ body: { locale: 'en-US' } });
    }
  });
