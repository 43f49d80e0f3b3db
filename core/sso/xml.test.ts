import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeXml, SAML_XML_LIMITS, type XmlLimits } from './xml.ts';

const LIMITS: XmlLimits = {
  length: 300,
  nodes: 5,
  depth: 3,
  attributes: 6,
  attributesOfElement: 4,
  attributeLength: 10,
  namespaces: 4,
  namespacesInScope: 3,
};
const judge = (text: string) => judgeXml(text, LIMITS);
/** `count` attributes from number `from`. */
const attributes = (count: number, name = 'a', from = 0) => Array.from({ length: count }, (_, at) => ` ${name}${from + at}="v"`).join('');

/** At each limit, and one beyond. */
const EDGES: [what: string, allowed: string, refused: string, why: RegExp][] = [
  ['length', `<a>${'x'.repeat(293)}</a>`, `<a>${'x'.repeat(294)}</a>`, /more than 300 characters/],
  ['elements', `<a>${'<b/>'.repeat(4)}</a>`, `<a>${'<b/>'.repeat(5)}</a>`, /more than 5 elements/],
  ['comments', `<a>${'<!---->'.repeat(4)}</a>`, `<a>${'<!---->'.repeat(5)}</a>`, /more than 5 elements and comments/],
  ['sections', `<a>${'<![CDATA[x]]>'.repeat(4)}</a>`, `<a>${'<![CDATA[x]]>'.repeat(5)}</a>`, /more than 5/],
  ['instructions', `<a>${'<?x y?>'.repeat(4)}</a>`, `<a>${'<?x y?>'.repeat(5)}</a>`, /more than 5/],
  ['depth', '<a><b><c/></b></a>', '<a><b><c><d></d></c></b></a>', /deeper than 3/],
  ['attributes', `<a${attributes(3)}><b${attributes(3)}/></a>`, `<a${attributes(3)}><b${attributes(4)}/></a>`, /more than 6 attributes/],
  ['attributes of an element', `<a${attributes(4)}/>`, `<a${attributes(5)}/>`, /element has more than 4 attributes/],
  ['the length of an attribute', `<a b="${'x'.repeat(10)}"/>`, `<a b='${'x'.repeat(11)}'/>`, /attribute has more than 10 characters/],
  [
    'namespaces',
    `<a><b${attributes(2, 'xmlns:')}/><c${attributes(2, 'xmlns:')}/></a>`,
    `<a><b${attributes(2, 'xmlns:')}/><c${attributes(3, 'xmlns:')}/></a>`,
    /declares more than 4 namespaces/,
  ],
  [
    'namespaces in scope',
    `<a xmlns="v" xmlns:x="v"><b xmlns:y="v"/></a>`,
    `<a xmlns="v" xmlns:x="v"><b xmlns:y="v" xmlns:z="v"/></a>`,
    /more than 3 namespaces in scope/,
  ],
];

describe('a document within the limits', () => {
  for (const [what, allowed, refused, why] of EDGES) {
    it(`is accepted up to its ${what}, and refused beyond`, () => {
      assert.equal(judge(allowed), null);
      assert.match(judge(refused) ?? '', why);
    });
  }

  const fine = [
    '',
    'no markup at all',
    '<?xml version="1.0" encoding="UTF-8"?>\n<a/>',
    `<p:a\n\tb = '"' c="'>"\r\n>x > y &amp; z</p:a >`,
    '<a><!-- <b c=d> -- <!DOCTYPE x> --></a>',
    '<a><![CDATA[<!DOCTYPE x <b]]></a>',
    '<a b=""></a>',
    '<ä ö="ü"/>',
    '<a><b/><b></b><b/></a>',
  ];
  for (const text of fine) it(`is accepted: ${JSON.stringify(text)}`, () => assert.equal(judge(text), null));
});

describe('a document that parsers read differently, or that brings its own grammar', () => {
  const refused: [text: string, why: RegExp][] = [
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', /document type/],
    ['<!doctype a><a/>', /document type/],
    ['<a><!ENTITY b "c"></a>', /document type/],
    ['<a b=c/>', /well-formed/],
    ['<a b/>', /well-formed/],
    ['<a b="1"c="2"/>', /well-formed/],
    ['<a b="<"/>', /well-formed/],
    ['<a b="', /well-formed/],
    ['<a', /well-formed/],
    ['<', /well-formed/],
    ['< a/>', /well-formed/],
    ['<a></b>', /well-formed/],
    ['</a>', /well-formed/],
    ['<a><b></a></b>', /well-formed/],
    ['<a></a b="c">', /well-formed/],
    ['<!-- no end', /well-formed/],
    ['<!-->', /well-formed/],
    ['<![CDATA[ no end', /well-formed/],
    ['<? no end', /well-formed/],
    ['<?>', /well-formed/],
  ];
  for (const [text, why] of refused) it(`is refused: ${text}`, () => assert.match(judge(text) ?? '', why));
});

describe('the judgement', () => {
  it('refuses thousands of declarations and those of nested elements', () => {
    const declarations = attributes(7_000, 'xmlns:p');
    assert.match(judgeXml(`<a${declarations}/>`, { ...SAML_XML_LIMITS, length: 1_000_000 }) ?? '', /more than 32 attributes/);
    const nested = Array.from({ length: 30 }, (_, at) => `<e${attributes(12, 'xmlns:p', at * 12)}>`).join('');
    assert.match(judgeXml(nested, SAML_XML_LIMITS) ?? '', /more than 24 namespaces in scope/);
  });

  it('accepts a response with two hundred groups that each declare their namespaces', () => {
    const value =
      '<AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">g</AttributeValue>';
    assert.equal(judgeXml(`<Assertion xmlns="urn:a" xmlns:b="urn:b">${value.repeat(200)}</Assertion>`, SAML_XML_LIMITS), null);
  });

  it('looks at each character a few times only', () => {
    // A pattern that restarts at each position would never end on texts of this length.
    const limits = { ...SAML_XML_LIMITS, length: 10_000_000, attributeLength: 10_000_000 };
    const long = 2_000_000;
    for (const text of [
      `<a${' '.repeat(long)}`,
      `<a ${'b'.repeat(long)}`,
      `<a b="${'c'.repeat(long)}`,
      `<a b${' '.repeat(long)}x`,
      `</${'a'.repeat(long)}`,
      `</a${' '.repeat(long)}`,
      `<a b="c"${' '.repeat(long)}/`,
      `<!--${'-'.repeat(long)}`,
    ])
      assert.match(judgeXml(text, limits) ?? '', /well-formed/);
  });
});
