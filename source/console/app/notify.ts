import type {NotifyChoice} from '../../renter/settings/default-settings.ts';
import type {Alert, Notify} from '../../renter/words/alert.ts';
import {
	alertOfEvent,
	keptAlert,
	type AlertStore,
	type KeptAlert,
} from '../../renter/alerts/kept-alerts.ts';
import type {Progress} from '../../renter/text/terminal-progress.ts';
import {printable} from '../../renter/text/text-width.ts';

type NotifyOptions = {
	readonly choice: () => NotifyChoice;
	/** Sends sequences to the terminal that leave its screen unchanged. */
	readonly send: (sequence: string) => void;
	readonly setTitle: (title: string) => void;
	/** Shows progress on the terminal's tab; by default none is shown. */
	readonly setProgress?: (progress: Progress) => void;
	/** Says a sentence at the foot of the screen. */
	readonly say: (text: string) => void;
	readonly alerts: Pick<AlertStore, 'add'>;
	/** Name of the service. */
	readonly profile: string;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Sends an alert away from the terminal, by the user's routes. */
	readonly elsewhere?: ((alert: Alert) => void) | undefined;
};

/** Title always, bell and OSC 9 as the user chose, a sentence at the foot, and an alert that stays. */
export function createNotify(options: NotifyOptions): Notify {
	const {choice, send, setTitle, setProgress, say, alerts, profile, now, elsewhere} = options;
	const troubles = new Map<string, number>();
	let booting = 0;
	const entitle = () =>
		setTitle(
			titleOf(
				[...troubles.values()].reduce((sum, part) => sum + part, 0),
				booting,
			),
		);
	entitle();

	function announce(kept: KeptAlert, text: string): boolean {
		if (!alerts.add(kept)) return false;
		say(text);
		send(alarm(choice(), text));
		const {key: _key, isNew: _isNew, ...alert} = kept;
		elsewhere?.(alert);
		return true;
	}

	return {
		send: event => announce(alertOfEvent(event, profile, now()), event.text),
		alert: (alert, text) => announce(keptAlert(alert), text),
		setTrouble(kind, count) {
			troubles.set(kind, count);
			entitle();
		},
		setBooting(count) {
			if (count === booting) return;
			booting = count;
			entitle();
			setProgress?.(count === 0 ? 'none' : 'some');
		},
	};
}

/** The terminal's title: "rentty", with two things in trouble "rentty 2!", and "rentty 2! 1 booting". */
function titleOf(trouble: number, booting = 0): string {
	const words = ['rentty', trouble === 0 ? [] : `${trouble}!`];
	return [...words, booting === 0 ? [] : `${booting} booting`].flat().join(' ');
}

/** Bytes for the bell and the notification of the desktop. */
function alarm({bell, osc9}: NotifyChoice, text: string): string {
	// Begins with a word, as numbers at this place are commands to some terminals.
	const desktop = osc9 ? `\u001B]9;rentty: ${printable(text)}\u001B\\` : '';
	return desktop + (bell ? '\u0007' : '');
}
