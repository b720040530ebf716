import type {Access} from '../../contract/nouns/host-work.ts';

export function readAccess(text: string): Access {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return JSON.parse(text) as Access;
}
