import { uiText, useUiText } from '../text/reader.ts';
import { type ReactNode, useEffect, useState } from 'react';
import './skeleton.css';
import '../layout/panel.css';

const WIDTHS = ['60%', '44%', '52%'];

/** Placeholder rows of the real height, visible only when loading takes longer than 150 ms. */
export function SkeletonRows({ rows = 6, height = 40, label = uiText('ui.loading') }: { rows?: number; height?: number; label?: string }) {
  return (
    <Delayed>
      <div className="panel px-4" role="status" aria-label={label}>
        {Array.from({ length: rows }, (_, at) => (
          <div key={at} className="flex items-center gap-3.5 border-b border-line-soft last:border-0" style={{ height }}>
            <span className="skeleton size-3.5 !rounded-full" />
            <span className="skeleton h-2.5" style={{ width: WIDTHS[at % WIDTHS.length] }} />
            <span className="skeleton ml-auto h-2.5 w-13" />
          </div>
        ))}
      </div>
    </Delayed>
  );
}

/** `height` in pixels, or classes that set it by the width of the window. */
export function SkeletonBlock({ height, className = '' }: { height?: number; className?: string }) {
  const t = useUiText();
  return (
    <Delayed>
      <div
        className={`skeleton !rounded-lg ${className}`}
        style={height === undefined ? undefined : { height }}
        role="status"
        aria-label={t('ui.loading')}
      />
    </Delayed>
  );
}

/** Reserves its space immediately, so that the layout does not shift. */
function Delayed({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? children : <div className="invisible">{children}</div>;
}
