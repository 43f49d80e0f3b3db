/** Most of each that a document may have. Counts are of the whole document unless named otherwise. */
export type XmlLimits = {
  /** UTF-16 code units. */
  length: number;
  /** Elements, comments, processing instructions and CDATA sections. */
  nodes: number;
  depth: number;
  attributes: number;
  attributesOfElement: number;
  /** UTF-16 code units of one attribute's value. */
  attributeLength: number;
  /** Attributes that declare a namespace; counted as attributes too. */
  namespaces: number;
  /** Declarations of an element and all around it. Canonical XML looks at each of them for each element. */
  namespacesInScope: number;
};

/**
 * Limits of SAML metadata and responses. The longest metadata of common providers has some 90 KB and 800 elements; a response with 200 groups
 * has 250 elements and, where each value declares the namespaces of its type again, 400 declarations.
 */
export const SAML_XML_LIMITS: XmlLimits = {
  length: 128 * 1024,
  nodes: 1_500,
  depth: 32,
  attributes: 3_000,
  attributesOfElement: 32,
  attributeLength: 4_096,
  namespaces: 1_000,
  namespacesInScope: 24,
};

/** An element that is open; `namespaces` are those in scope. */
type Open = { name: string; namespaces: number };

const NAME = String.raw`[^\s<>/=&"'!?]+`;
const START = new RegExp(`<(${NAME})`, 'y');
const ATTRIBUTE = new RegExp(String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const START_END = /\s*(\/?)>/y;
const END = new RegExp(String.raw`</(${NAME})\s*>`, 'y');
const SECTIONS = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
] as const;

/**
 * Returns why a text may not be given to an XML library, as a sentence for people; null when it may. One pass that ends at the first fault:
 * parsing and canonicalising cost far more than the length of a text suggests. It refuses document types, hence entities, and tags that
 * are not well formed, since a lenient parser would count them differently.
 */
export function judgeXml(text: string, limits: XmlLimits): string | null {
  if (text.length > limits.length) return `It has more than ${limits.length} characters.`;
  const total = { nodes: 0, attributes: 0, namespaces: 0 };
  const open: Open[] = [];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('</', at)) {
      const end = matchAt(END, text, at);
      if (!end || open.pop()?.name !== end[1]) return NOT_WELL_FORMED;
      at = END.lastIndex;
      continue;
    }
    total.nodes += 1;
    if (total.nodes > limits.nodes) return `It has more than ${limits.nodes} elements and comments.`;
    const section = SECTIONS.find(({ start }) => text.startsWith(start, at));
    if (section) {
      const end = text.indexOf(section.end, at + section.start.length);
      if (end === -1) return NOT_WELL_FORMED;
      at = end + section.end.length;
      continue;
    }
    if (text.startsWith('<!', at)) return 'It has a document type, which is not accepted.';
    const start = matchAt(START, text, at);
    if (!start) return NOT_WELL_FORMED;
    const read = readAttributes(text, START.lastIndex, limits);
    if (typeof read === 'string') return read;
    total.attributes += read.attributes;
    if (total.attributes > limits.attributes) return `It has more than ${limits.attributes} attributes.`;
    total.namespaces += read.namespaces;
    if (total.namespaces > limits.namespaces) return `It declares more than ${limits.namespaces} namespaces.`;
    const namespaces = (open.at(-1)?.namespaces ?? 0) + read.namespaces;
    if (namespaces > limits.namespacesInScope) return `It has more than ${limits.namespacesInScope} namespaces in scope.`;
    if (!read.isEmpty) open.push({ name: start[1] ?? '', namespaces });
    if (open.length > limits.depth) return `It is nested deeper than ${limits.depth} elements.`;
    at = read.end;
  }
  return null;
}

const NOT_WELL_FORMED = 'It is not well-formed XML.';

type Attributes = { attributes: number; namespaces: number; isEmpty: boolean; end: number };

/** Reads from behind a tag's name to behind its `>`. */
function readAttributes(text: string, from: number, limits: XmlLimits): Attributes | string {
  let attributes = 0;
  let namespaces = 0;
  let end = from;
  for (let found = matchAt(ATTRIBUTE, text, end); found; found = matchAt(ATTRIBUTE, text, end)) {
    end = ATTRIBUTE.lastIndex;
    const [, name = '', quoted, single] = found;
    attributes += 1;
    if (attributes > limits.attributesOfElement) return `An element has more than ${limits.attributesOfElement} attributes.`;
    if ((quoted ?? single ?? '').length > limits.attributeLength) return `An attribute has more than ${limits.attributeLength} characters.`;
    if (name === 'xmlns' || name.startsWith('xmlns:')) namespaces += 1;
  }
  const close = matchAt(START_END, text, end);
  return close ? { attributes, namespaces, isEmpty: close[1] === '/', end: START_END.lastIndex } : NOT_WELL_FORMED;
}

/** `pattern` is sticky; behind a match, its `lastIndex` is the end. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
