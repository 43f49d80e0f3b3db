import { useUiText } from '../text/reader.ts';
import '../controls/button.css';

export function SkipLink() {
  const t = useUiText();
  return (
    <a href="#main" className="button sr-only focus:not-sr-only focus:!fixed focus:top-2 focus:left-2 focus:z-50 focus:!px-3">
      {t('ui.skip')}
    </a>
  );
}
