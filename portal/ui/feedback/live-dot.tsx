import { useUiText } from '../text/reader.ts';
import { Mark } from './mark.tsx';

export type LiveState = 'connecting' | 'live' | 'reconnecting';

/** Shows whether the page receives changes live. */
export function LiveDot({ state }: { state: LiveState }) {
  const t = useUiText();
  const isLive = state === 'live';
  if (state === 'connecting') return null;
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs ${isLive ? 'text-accent' : 'text-ink-3'}`}>
      <Mark kind={isLive ? 'live' : 'offline'} />
      {isLive ? t('ui.live') : t('ui.reconnecting')}
    </span>
  );
}
