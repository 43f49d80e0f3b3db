import { localeOf } from '@partner-portal/messages/locale.ts';
import { PlainButton } from './ui/controls/plain-button.tsx';

/** In the first script, because the file of all other texts may be what is missing. */
const TEXTS = {
  en: ['The page could not be loaded.', 'Try again'],
  de: ['Die Seite konnte nicht geladen werden.', 'Erneut versuchen'],
  es: ['No se pudo cargar la página.', 'Reintentar'],
} as const;

/** Says that a file of the page did not arrive. */
export function StartFailed() {
  const [sentence, again] = TEXTS[localeOf(navigator.language)];
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <p role="alert">{sentence}</p>
      <PlainButton onClick={() => location.reload()}>{again}</PlainButton>
    </main>
  );
}
