import { isInstalled, useInstallOffer } from '../../app/install.ts';
import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';

/** How to put the portal on the home screen: a button where the browser offers it, else where to find it. */
export function InstallHint() {
  const { t } = useMessages();
  const { name } = useUser().partner;
  const offer = useInstallOffer();
  return (
    <Section title={t('install.title')} className="max-w-form">
      {isInstalled() ? (
        <p className="text-ink-2">{t('install.installed', { name })}</p>
      ) : (
        <div className="grid gap-3">
          <p className="text-ink-2">{t('install.lead', { name })}</p>
          {offer ? (
            <div>
              <Button size="lg" onClick={() => void offer()}>
                {t('install.install')}
              </Button>
            </div>
          ) : (
            <p className="text-sm text-ink-3">{t('install.by-hand')}</p>
          )}
        </div>
      )}
    </Section>
  );
}
