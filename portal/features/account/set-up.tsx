import { api, type Reply } from '../../app/api.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ConfirmCode } from './confirm-code.tsx';

type Props = {
  setup: Reply<'setUpMfa'>;
  size: 'md' | 'lg';
  onEnabled: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
};

/** The secret as a picture and in letters, then the code that proves the app has it. */
export function SetUp({ setup, size, onEnabled, onCancel }: Props) {
  return (
    <div className="grid gap-6 md:grid-cols-[176px_minmax(0,1fr)]">
      {/* Cameras want dark on light, whatever the theme. */}
      <img
        className="size-44 rounded-md border border-line bg-white"
        alt="QR code for your authenticator app"
        src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qrSvg)}`}
      />
      <div className="grid content-start gap-4">
        <div>
          <p className="text-ink-2">Scan the picture with an authenticator app. Without a camera, type this key into it:</p>
          <p className="mt-2 flex flex-wrap items-center gap-2">
            <code className="rounded-sm bg-sunken px-2 py-1 break-all">{grouped(setup.secret)}</code>
            <CopyButton text={setup.secret} label="Copy key" />
          </p>
        </div>
        <ConfirmCode
          size={size}
          lead="Then type the six digits the app shows."
          action="Switch on"
          busy="Switching on"
          run={(token) => api.enableMfa({ body: { token } })}
          onDone={({ recoveryCodes }) => onEnabled(recoveryCodes)}
          onCancel={onCancel}
        />
      </div>
    </div>
  );
}

/** In groups of four, as apps print it. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
