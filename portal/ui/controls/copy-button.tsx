import { uiText, useUiText } from '../text/reader.ts';
import { Check, Copy } from 'lucide-react';
import { Button, IconButton } from './button.tsx';
import { useCopy } from './copy-link.tsx';

/** Copies `text` and shows "Copied" for two seconds. `icon` looks like an icon button; a text link is in copy-link.tsx. */
export function CopyButton({
  text,
  label = uiText('ui.copy'),
  icon,
  disabledReason,
}: {
  text: string;
  label?: string;
  icon?: boolean;
  disabledReason?: string;
}) {
  const t = useUiText();
  const [isCopied, copy] = useCopy(text);
  const glyph = isCopied ? <Check aria-hidden /> : <Copy aria-hidden />;
  const said = (
    <span role="status" className="sr-only">
      {isCopied ? t('ui.copied') : ''}
    </span>
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
