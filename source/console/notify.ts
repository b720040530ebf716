import type {NotifyChoice} from '../renter/settings/default-settings.ts';
import type {Notify} from '../renter/notify.ts';
import {printable} from '../renter/text/text-width.ts';

export type NotifyOptions = {
	readonly choice: () => NotifyChoice;
	/** Sends something to the terminal that does not change what it shows. */
	readonly send: (sequence: string) => void;
	readonly setTitle: (title: string) => void;
	/** Says a sentence at the foot of the screen. */
	readonly say: (text: string) => void;
};

/** Title always, bell and OSC 9 as the user chose, and a sentence at the foot. */
export function createNotify({choice, send, setTitle, say}: NotifyOptions): Notify {
	const told = new Set<string>();
	const troubles = new Map<string, number>();
	setTitle(titleOf(0));
	return {
		tell({about, state, text}) {
			const name = JSON.stringify([about, state]);
			if (told.has(name)) return false;
			told.add(name);
			say(text);
			send(alarm(choice(), text));
			return true;
		},
		setTrouble(kind, count) {
			troubles.set(kind, count);
			setTitle(titleOf([...troubles.values()].reduce((sum, part) => sum + part, 0)));
		},
	};
}

/** The terminal's title: "rentty", and with two things in trouble "rentty 2!". */
export function titleOf(trouble: number): string {
	return trouble === 0 ? 'rentty' : `rentty ${trouble}!`;
}

/** The bytes that ring and tell the desktop. */
function alarm({bell, osc9}: NotifyChoice, text: string): string {
	// Begins with a word, for some terminals read numbers at this place as commands of their own.
	const desktop = osc9 ? `\u001B]9;rentty: ${printable(text)}\u001B\\` : '';
	return desktop + (bell ? '\u0007' : '');
}
