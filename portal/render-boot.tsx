import { renderToStaticMarkup } from 'react-dom/server';
import { Boot, FACES } from './ui/layout/boot.tsx';

/** Returns the shapes of all faces as HTML. Called by the build. */
export function renderBoot(): string {
  return renderToStaticMarkup(FACES.map((face) => <Boot key={face} face={face} />));
}
