import { DOMParser } from '@xmldom/xmldom';
import { judgeXml, SAML_XML_LIMITS } from '@partner-portal/core/sso/xml.ts';

/** Namespaces of SAML 2.0, XML signature and XML encryption. */
export const NS = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const;

/** Returns the root element of an XML text; null when it cannot be read or is beyond the limits. */
export function parseXml(xml: string): Element | null {
  if (judgeXml(xml, SAML_XML_LIMITS) !== null) return null;
  let isFaulty = false;
  const note = (): void => void (isFaulty = true);
  const parser = new DOMParser({ errorHandler: { warning: () => undefined, error: note, fatalError: note } });
  const document = parser.parseFromString(xml, 'text/xml');
  return isFaulty ? null : (document?.documentElement ?? null);
}

/** Returns the elements of a name anywhere below. The parser's lists are not iterable. */
export function descendants(within: Element, namespace: string, name: string): Element[] {
  const found = within.getElementsByTagNameNS(namespace, name);
  return Array.from({ length: found.length }, (_, index) => found.item(index)).filter((one) => one !== null);
}

/** Returns the child elements of a name. */
export function children(within: Element, namespace: string, name: string): Element[] {
  return descendants(within, namespace, name).filter((one) => one.parentNode === within);
}

/** Returns the only child element of a name; null when there is none or more than one. */
export function only(within: Element | null | undefined, namespace: string, name: string): Element | null {
  const found = within ? children(within, namespace, name) : [];
  return found.length === 1 ? (found[0] ?? null) : null;
}

export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** Returns an attribute; null when it is missing or empty. */
export function attribute(element: Element | null, name: string): string | null {
  return element?.getAttribute(name) || null;
}

/** Returns the text of an element without spaces around it; null without the element or text. */
export function textOf(element: Element | null | undefined): string | null {
  return element?.textContent?.trim() || null;
}
