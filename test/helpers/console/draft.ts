/** A template that is begun and not saved: what leaving a service would lose. */
import type {openTestConsole} from './console.ts';

type Typed = Pick<ReturnType<typeof openTestConsole>, 'type' | 'sees'>;

/** Types the name of a new template, and goes on to the tab of a key. */
export async function leaveDraft(rentty: Typed, tab: string): Promise<void> {
	rentty.type('3');
	await rentty.sees('[3 Templates]');
	rentty.type('n');
	await rentty.sees('Templates > new');
	rentty.type('\r');
	await rentty.sees('take it');
	rentty.type('draft\r');
	await rentty.sees('> new draft');
	rentty.type(`\u001B[F${tab}`);
}
