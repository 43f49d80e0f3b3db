import { uiText, useUiText } from '../text/reader.ts';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';

/** Copies `text` and shows "Copied" for two seconds. `link` looks like a text link, `icon` like an icon button. */
export function CopyButton({
  text,
  label = uiText('ui.copy'),
  link,
  icon,
  disabledReason,
}: {
  text: string;
  label?: string;
  link?: boolean;
  icon?: boolean;
  disabledReason?: string;
}) {
  const t = useUiText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  const glyph = isCopied ? <Check aria-hidden /> : <Copy aria-hidden />;
  const said = (
    <span role="status" className="sr-only">
      {isCopied ? t('ui.copied') : ''}
    </span>
  );
  if (link)
    return (
      <button type="button" className="link" onClick={copy}>
        {isCopied ? t('ui.copied') : label}
      </button>
    );
  if (icon)
    return (
      <>
        <IconButton size="sm" label={isCopied ? t('ui.copied') : label} onClick={copy} disabledReason={disabledReason}>
          {glyph}
        </IconButton>
        {said}
      </>
    );
  return (
    <Button size="sm" icon={glyph} onClick={copy} disabledReason={disabledReason}>
      {isCopied ? t('ui.copied') : label}
    </Button>
  );
}
