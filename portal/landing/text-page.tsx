import { PageFrame } from './page-frame.tsx';

/** The page of a text that the service fills in: `{{text}}` is its HTML (service/public-texts.ts). */
export function TextPage() {
  return (
    <PageFrame>
      <article className="landing-text">{'{{text}}'}</article>
    </PageFrame>
  );
}
