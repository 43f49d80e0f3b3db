import { useMessages } from '../../app/messages.ts';
import { api, type Reply } from '../../app/api.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ConfirmCode } from './confirm-code.tsx';

type Props = {
  setup: Reply<'setUpMfa'>;
  size: 'md' | 'lg';
  onEnabled: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
};

/** Shows the authenticator secret as a QR code and as text, then verifies a first code. */
export function AuthenticatorSetup({ setup, size, onEnabled, onCancel }: Props) {
  const { t } = useMessages();
  return (
    <div className="grid gap-6 md:grid-cols-[176px_minmax(0,1fr)]">
      {/* Dark on light in both themes: cameras need it. */}
      <img
        className="size-44 rounded-md border border-line bg-white"
        alt={t('account.qr')}
        src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qrSvg)}`}
      />
      <div className="grid content-start gap-4">
        <div>
          <p className="text-ink-2">{t('account.scan')}</p>
          <p className="mt-2 flex flex-wrap items-center gap-2">
            <code className="rounded-sm bg-sunken px-2 py-1 break-all">{grouped(setup.secret)}</code>
            <CopyButton text={setup.secret} label={t('account.copyKey')} />
          </p>
        </div>
        <ConfirmCode
          size={size}
          lead={t('account.thenCode')}
          action={t('account.turnOn')}
          busy={t('account.turningOn')}
          run={(token) => api.enableMfa({ body: { token } })}
          onDone={({ recoveryCodes }) => onEnabled(recoveryCodes)}
          onCancel={onCancel}
        />
      </div>
    </div>
  );
}

/** Groups of four, as authenticator apps display it. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
