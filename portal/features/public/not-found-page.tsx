import { useMessages } from '../../app/messages.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { SimplePage } from './simple-page.tsx';

export function NotFoundPage() {
  const { t } = useMessages();
  const words = { portal: t('not-found.portal'), login: t('not-found.login'), status: t('not-found.status') };
  return (
    <SimplePage title={t('not-found.title')} words={words}>
      <p className="text-ink-3">
        <code className="break-all">{location.pathname}</code>
      </p>
      <h1 className="mt-1 text-2xl tracking-figure md:text-3xl">{t('not-found.title')}</h1>
      <p className="mt-3 mb-6 max-w-[58ch] text-ink-2">{t('not-found.text')}</p>
      <div className="flex flex-wrap gap-2">
        <a href="/" className={buttonClass('primary', 'lg')}>
          {t('not-found.home')}
        </a>
        <Button size="lg" onClick={() => history.back()}>
          {t('not-found.back')}
        </Button>
      </div>
    </SimplePage>
  );
}
