(function(){var e=new Set([`ready`,`close`,`unread`,`height`,`opened`,`closed`]);function t(t){return typeof t==`object`&&t&&`type`in t&&e.has(t.type)?t:void 0}var n=`M12 3.5c5 0 9 3.4 9 7.7s-4 7.7-9 7.7c-1 0-2-.1-2.9-.4L4.5 20.5l1-3.9A7.2 7.2 0 0 1 3 11.2c0-4.3 4-7.7 9-7.7Z`,r=`m6 9.5 6 6 6-6`,i=9;function a(e,t){let a=document.createElement(`button`);a.type=`button`,a.className=`launcher`,a.style.setProperty(`--fill`,e.fill),a.style.setProperty(`--on`,e.on);let s=document.createElement(`span`);s.className=`badge`,s.setAttribute(`aria-hidden`,`true`),a.append(o(`bubble`,n),o(`chevron`,r),s),a.addEventListener(`click`,t);let c=!1,{unread:l,openLabel:u}=e,d=()=>{a.setAttribute(`aria-expanded`,String(c)),a.setAttribute(`aria-label`,c?e.closeLabel:u),s.textContent=l>i?`${i}+`:String(l),s.hidden=l===0};return d(),{element:a,setOpen:e=>{c=e,d()},setUnread:(e,t)=>{l=e,u=t,d()}}}function o(e,t){let n=document.createElementNS(`http://www.w3.org/2000/svg`,`svg`);n.setAttribute(`viewBox`,`0 0 24 24`),n.setAttribute(`class`,e),n.setAttribute(`aria-hidden`,`true`);let r=document.createElementNS(`http://www.w3.org/2000/svg`,`path`);return r.setAttribute(`d`,t),n.append(r),n}var s=`(max-width: 480px), (max-height: 480px)`;function c(e){let t=document.createElement(`div`);t.className=`panel`;let n=document.createElement(`iframe`);n.src=e,n.title=`Chat`,n.referrerPolicy=`origin`,t.append(n);let r=matchMedia(s),i=!1,a=``,o=!1,c=()=>{let e=i&&r.matches?window.visualViewport:null;t.style.height=e?`${e.height}px`:``,t.style.top=e?`${e.offsetTop}px`:``,l(e!==null||i&&r.matches)},l=e=>{if(e===o)return;o=e;let{style:t}=document.documentElement;e&&(a=t.overflow),t.overflow=e?`hidden`:a},u=e=>{i=e,t.classList.toggle(`open`,i),c()};return r.addEventListener(`change`,c),window.visualViewport?.addEventListener(`resize`,c),window.visualViewport?.addEventListener(`scroll`,c),{element:t,frame:n,show:()=>u(!0),hide:()=>u(!1),setTall:e=>void t.classList.toggle(`tall`,e),isSheet:()=>r.matches}}var l=`
:host {
  position: fixed !important;
  inset-block-end: calc(20px + env(safe-area-inset-bottom)) !important;
  inset-inline-end: calc(20px + env(safe-area-inset-right)) !important;
  z-index: 2147483000 !important;
  display: block !important;
  color-scheme: light dark !important;
}
:host([data-theme=light]) { color-scheme: light !important; }
:host([data-theme=dark]) { color-scheme: dark !important; }
.launcher {
  position: relative;
  display: grid;
  place-items: center;
  box-sizing: border-box;
  width: 56px;
  height: 56px;
  margin: 0;
  padding: 0;
  border: 0;
  border-radius: 50%;
  background: var(--fill);
  color: var(--on);
  box-shadow: 0 0 0 1px light-dark(rgb(255 255 255 / .7), rgb(0 0 0 / .5)), 0 6px 24px -4px rgb(0 0 0 / .35);
  cursor: pointer;
  -webkit-tap-highlight-color: transparent;
  transition: scale 140ms cubic-bezier(.2,.8,.2,1);
  animation: appear 220ms cubic-bezier(.2,.8,.2,1);
}
.launcher:hover { scale: 1.05; }
.launcher:active { scale: .96; }
.launcher:focus-visible {
  outline: 3px solid var(--fill);
  outline-offset: 3px;
  box-shadow: 0 0 0 3px light-dark(#fff, #000), 0 0 0 8px light-dark(#fff, #000);
}
svg {
  grid-area: 1 / 1;
  width: 30px;
  height: 30px;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.75;
  stroke-linecap: round;
  stroke-linejoin: round;
  transition: opacity 140ms, rotate 140ms;
}
[aria-expanded=false] .chevron, [aria-expanded=true] .bubble { opacity: 0; }
[aria-expanded=false] .chevron { rotate: -60deg; }
.badge {
  position: absolute;
  inset-block-start: -3px;
  inset-inline-end: -3px;
  box-sizing: border-box;
  min-width: 21px;
  height: 21px;
  padding: 0 6px;
  border-radius: 11px;
  background: #b3261e;
  color: #fff;
  font: 600 12px/21px system-ui, sans-serif;
  text-align: center;
  box-shadow: 0 0 0 2px light-dark(#fff, #111);
}
.badge[hidden], [aria-expanded=true] .badge { display: none; }
.panel {
  position: absolute;
  inset-block-end: 72px;
  inset-inline-end: 0;
  width: 400px;
  max-width: calc(100vw - 40px);
  height: min(500px, calc(100dvh - 112px));
  border-radius: 16px;
  overflow: hidden;
  background: light-dark(#fff, #161b1e);
  box-shadow: 0 0 0 1px light-dark(rgb(20 40 50 / .1), rgb(255 255 255 / .12)), 0 16px 48px -12px rgb(0 0 0 / .4);
  visibility: hidden;
  opacity: 0;
  translate: 0 12px;
  transition: opacity 140ms, translate 140ms cubic-bezier(.2,.8,.2,1), visibility 0s 140ms, height 220ms cubic-bezier(.2,.8,.2,1);
}
.panel.tall { height: min(660px, calc(100dvh - 112px)); }
.panel.open { visibility: visible; opacity: 1; translate: 0 0; transition-delay: 0s; }
iframe {
  display: block;
  width: 100%;
  height: 100%;
  border: 0;
  color-scheme: inherit;
}
@keyframes appear { from { opacity: 0; scale: .6; } }
@media (max-width: 480px), (max-height: 480px) {
  .panel, .panel.tall {
    position: fixed;
    inset: 0;
    width: 100%;
    max-width: none;
    height: 100dvh;
    border-radius: 0;
    box-shadow: none;
    transition: opacity 140ms, translate 140ms, visibility 0s 140ms;
  }
  .panel.open { transition-delay: 0s; }
  .panel.open + .launcher { display: none; }
}
@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; animation: none !important; }
}
@media (forced-colors: active) {
  .launcher { border: 2px solid ButtonText; }
}
@media print {
  :host { display: none !important; }
}
`,u=3e3,d=100;function f({origin:e,chatbotId:n,theme:r}){let i=document.createElement(`div`);i.style.setProperty(`all`,`initial`,`important`);let o=i.attachShadow({mode:`open`}),s=new CSSStyleSheet;s.replaceSync(l),o.adoptedStyleSheets=[s],r&&(i.dataset.theme=r);let u=c(`${e}/chat/${encodeURIComponent(n)}${r?`?theme=${r}`:``}`);o.append(u.element);let f,m=!1,h=!1,g=t=>u.frame.contentWindow?.postMessage(t,e),_=()=>{h=!0,!m&&f&&(m=!0,u.show(),f.setOpen(!0),u.frame.focus(),g({type:`opened`}))},v=()=>{if(h=!1,!m||!f)return;m=!1;let e=o.activeElement!==null;u.hide(),f.setOpen(!1),e&&f.element.focus(),g({type:`closed`})},y=e=>{e.type===`close`?v():e.type===`unread`?f?.setUnread(e.count,e.openLabel):e.type===`height`?u.setTall(e.isTall):(f?.element.remove(),f=a(e,()=>m?v():_()),o.append(f.element),u.frame.title=e.title,f.setOpen(m),m?g({type:`opened`}):(h||e.wasOpen&&!u.isSheet())&&_())};addEventListener(`message`,({origin:n,source:r,data:i})=>{if(n!==e||r!==u.frame.contentWindow)return;let a=t(i);a&&y(a)}),o.addEventListener(`keydown`,e=>{e instanceof KeyboardEvent&&e.key===`Escape`&&v()});let b=()=>{i.isConnected||document.querySelector(`body`)?.append(i)},x=()=>{S.disconnect();for(let e of document.querySelectorAll(`html, body`))S.observe(e,{childList:!0});i.isConnected||setTimeout(b,d)},S=new MutationObserver(x);return p(()=>{b(),x()}),{open:_,close:v}}function p(e){let t=()=>{`requestIdleCallback`in window?requestIdleCallback(e,{timeout:u}):setTimeout(e,1)};document.readyState===`complete`?t():addEventListener(`load`,t,{once:!0})}var m=document.currentScript??document.querySelector(`script[data-chatbot]`);m instanceof HTMLScriptElement&&h(m);function h({src:e,dataset:t}){let{chatbot:n,theme:r}=t;n&&!window.chatWidget&&(window.chatWidget=f({origin:new URL(e).origin,chatbotId:n,theme:r===`light`||r===`dark`?r:null}))}})();