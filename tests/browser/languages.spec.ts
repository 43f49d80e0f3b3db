import { addVisitorConversation, handOver } from '../harness/conversations.ts';
import { agent, navigate, test } from './pages.ts';
import { expect, expectAccessible, expectLoaded, expectNoSidewaysScroll } from './portal.ts';

const HEADINGS = {
  de: { '/client/activity': 'Aktivität', '/client/agents': 'Ihre Agenten', '/client/business': 'Ihr Unternehmen', '/client/integrations': 'Dienste', '/client/suggestions': 'Vorschläge' }, // prettier-ignore
  es: { '/client/activity': 'Actividad', '/client/agents': 'Sus agentes', '/client/business': 'Su empresa', '/client/integrations': 'Servicios', '/client/suggestions': 'Sugerencias' }, // prettier-ignore
};
const SETTINGS = { de: 'Einstellungen', es: 'Ajustes' };
const STATES = { de: 'Zuletzt|Eingeschaltet|Pausiert|Wird eingerichtet', es: 'Activado|En pausa|En preparación' };

for (const language of ['de', 'es'] as const)
  test(`the client's face is in the reader's language on every page, and fits a phone: ${language}`, async ({ as, page, api }) => {
    await api.client.updateMe({ body: { locale: language } });
    try {
      await page.setViewportSize({ width: 390, height: 844 });
      await as('client', '/client/settings');
      await expect(page.getByRole('heading', { level: 1, name: SETTINGS[language] })).toBeVisible();
      await expectNoSidewaysScroll(page);
      for (const [path, heading] of Object.entries(HEADINGS[language])) {
        await navigate(page, path);
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
        await expectLoaded(page);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expectNoSidewaysScroll(page);
      }
      await navigate(page, `/client/agents/${await agent(api)}`);
      await expect(page.getByText(new RegExp(STATES[language])).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
    } finally {
      await api.client.updateMe({ body: { locale: 'en-US' } });
    }
  });

const WORDS = {
  de: {
    visitor: 'Besucher 7C3D',
    inbox: 'Posteingang',
    waiting: /Wartet auf einen Menschen/,
    thread: 'Verlauf',
    reply: 'Antwort',
    prepared: 'Textbausteine',
    found: 'Gespräch geschlossen.',
    close: 'Schließen',
    bell: /^Benachrichtigungen, /,
    sample: 'Beispiel einer Benachrichtigung',
    type: 'Ein Export ist bereit',
    exportData: 'Daten exportieren',
    missing: 'Seite nicht gefunden',
    askDeletion: 'Löschung beantragen',
    removed: /wird am \d+\. \p{L}+ alles entfernt/u,
    keep: 'Behalten',
    deleted: 'wird gelöscht',
    reactivate: 'Reaktivierung anfragen',
    open: 'Profil und Sicherheit',
  },
  es: {
    visitor: 'Visitante 7C3D',
    inbox: 'Bandeja',
    waiting: /Espera a una persona/,
    thread: 'Hilo de mensajes',
    reply: 'Respuesta',
    prepared: 'Respuestas preparadas',
    found: 'Conversación cerrada.',
    close: 'Cerrar',
    bell: /^Avisos, /,
    sample: 'Aviso de prueba',
    type: 'Una exportación está lista',
    exportData: 'Exportar los datos',
    missing: 'Página no encontrada',
    askDeletion: 'Solicitar la eliminación',
    removed: /todo se elimina el \d+ de \p{L}+/u,
    keep: 'Conservar',
    deleted: 'se eliminará',
    reactivate: 'Solicitar la reactivación',
    open: 'Perfil y seguridad',
  },
} as const;

for (const language of ['de', 'es'] as const)
  test(`a client's inbox, account and notifications are in the reader's language on a phone: ${language}`, async ({
    as,
    page,
    api,
    system,
  }) => {
    const words = WORDS[language];
    const { id: clientId, partnerId } = await api.client.getMyClient();
    const talk = await addVisitorConversation(system, { partnerId, clientId, label: 'Visitor 7C3D' });
    await handOver(system, talk);
    await api.client.updateMe({ body: { locale: language } });
    try {
      // There is one sample a minute, and the other language may have had it.
      await system.query("delete from notification where subject = 'sample'");
      await api.client.sendSampleNotification({});
      await as('client', '/client/settings');
      await page.setViewportSize({ width: 390, height: 844 });

      await test.step('the inbox', async () => {
        await page.goto('/client/inbox');
        await expect(page.getByRole('heading', { level: 1, name: words.inbox })).toBeVisible();
        const row = page.locator(`[data-conversation="${talk}"]`);
        await expect(row).toContainText(words.visitor);
        await expect(row).toContainText(words.waiting);
        await expectNoSidewaysScroll(page);
        await row.click();
        await expect(page.getByRole('heading', { name: words.visitor })).toBeVisible();
        await expect(page.getByRole('region', { name: words.thread })).toContainText('Is parking free?');
        await expect(page.getByRole('textbox', { name: words.reply })).toBeVisible();
        await page.getByRole('button', { name: words.prepared }).click();
        await expect(page.getByRole('dialog', { name: words.prepared })).toBeVisible();
        await page.keyboard.press('Escape');
        await expectNoSidewaysScroll(page);
        await expectAccessible(page, 'light');
        await page.getByRole('button', { name: words.close, exact: true }).click();
        await expect(page.getByText(words.found)).toBeVisible();
      });

      await test.step('notifications, and what can be chosen of them', async () => {
        await page.goto('/client/settings');
        await page.getByRole('button', { name: words.bell }).click();
        await expect(page.getByText(words.sample).first()).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.getByText(words.type).first()).toBeVisible();
      });

      await test.step('export and deletion', async () => {
        await page.goto('/client/settings?part=business');
        await expect(page.getByRole('button', { name: words.exportData })).toBeVisible();
        await page.getByRole('button', { name: words.askDeletion }).click();
        const dialog = page.getByRole('dialog');
        await expect(dialog.getByText(words.removed)).toBeVisible();
        await expectNoSidewaysScroll(page);
        await dialog.getByRole('button', { name: words.keep }).click();
      });

      await test.step('a page that does not exist', async () => {
        await page.goto('/client/nothing-here');
        await expect(page.getByRole('heading', { level: 1, name: words.missing })).toBeVisible();
        await expect(page.locator('html')).toHaveAttribute('lang', language);
      });
    } finally {
      await api.client.updateMe({ body: { locale: 'en-US' } });
    }
  });
