type Props = {
  /** The name of its files in `pictures/`, without the theme. */
  name: string;
  alt: string;
  width: number;
  height: number;
  className?: string;
  /** Width in pixels of a second set of files, `<name>-<theme>-small`, for phones. */
  small?: number;
  /** The first picture of the page, which people wait for. */
  isFirst?: boolean;
};

/** How many pixels of the file there are to one of `width` (`tests/pictures/take.ts`). */
const DENSITY = 1.4;
/** Browsers that know `auto` take the width that a lazy picture has in the page. */
const SIZES = 'auto, (max-width: 1023px) 92vw, 620px';

/**
 * A picture of the product in the theme of the page. A browser loads the one that is shown, once it is near: what is hidden and lazy is not loaded. The build
 * replaces `/pictures/` by the address of the file.
 */
export function Picture({ name, alt, width, height, className = '', small, isFirst }: Props) {
  const files = (path: string, type: 'avif' | 'webp') =>
    small === undefined
      ? { srcSet: `${path}.${type}` }
      : { srcSet: `${path}-small.${type} ${small}w, ${path}.${type} ${Math.round(width * DENSITY)}w`, sizes: SIZES };
  return (
    <div className={`landing-picture ${className}`}>
      {(['light', 'dark'] as const).map((theme) => (
        <picture key={theme} data-picture={theme}>
          <source {...files(`/pictures/${name}-${theme}`, 'avif')} type="image/avif" />
          <img
            src={`/pictures/${name}-${theme}.webp`}
            {...(small === undefined ? {} : files(`/pictures/${name}-${theme}`, 'webp'))}
            alt={alt}
            width={width}
            height={height}
            loading="lazy"
            decoding="async"
            fetchPriority={isFirst ? 'high' : undefined}
          />
        </picture>
      ))}
    </div>
  );
}
