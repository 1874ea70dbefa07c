/** The page's address and its parts. */
export interface Route {
  page: string;
  id: string;
}

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);
  search = $state(location.search);

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
    document.addEventListener('click', (event) => this.#click(event));
  }

  get route(): Route {
    const [page = '', id = ''] = this.path.split('/').filter(Boolean).map(decodeURIComponent);
    return { page, id };
  }

  go(address: string, replace = false): void {
    history[replace ? 'replaceState' : 'pushState'](null, '', address);
    this.#read();
    scrollTo(0, 0);
  }

  #read(): void {
    this.path = location.pathname;
    this.hash = location.hash;
    this.search = location.search;
  }

  /** Links to our own pages need no round trip. */
  #click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
    event.preventDefault();
    this.go(url.pathname + url.search + url.hash);
  }
}

export const router = new Router();
