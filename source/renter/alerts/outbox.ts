/**
 * Alerts that leave the terminal at least once: each is in its file before it is sent. However much a
 * service has a guard report, so many leave in an hour; the others wait in the file.
 */
import type {Alert, AlertKind} from '../words/alert.ts';
import {keptAlert, type AlertStore} from './kept-alerts.ts';

type Given = {
	readonly kept: AlertStore;
	/** Sends an alert by every route; its end, also where a route failed for good, is the end of it. */
	readonly tell: (alert: Alert) => Promise<unknown>;
	/** Once it is aborted, nothing that is under way counts as told. */
	readonly signal: AbortSignal;
	/** In milliseconds. */
	readonly now: () => number;
};

const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 30;
/** The guard's own troubles leave room for what happens to instances. */
const MOST_TROUBLES = 10;

export function openOutbox({kept, tell, signal, now}: Given) {
	const underWay = new Map<string, Promise<void>>();
	let begun: ReadonlyArray<{readonly kind: AlertKind; readonly at: number}> = [];

	function hasRoom(kind: AlertKind): boolean {
		begun = begun.filter(({at}) => Math.abs(now() - at) < HOUR_MS);
		const troubles = begun.filter(one => one.kind === 'guard-trouble').length;
		return begun.length < MOST_AN_HOUR && (kind !== 'guard-trouble' || troubles < MOST_TROUBLES);
	}

	async function send(alert: Alert): Promise<void> {
		await kept.settle();
		await tell(alert);
		if (!signal.aborted) kept.setTold(alert.id);
	}

	function begin(alert: Alert): void {
		const {id, kind} = alert;
		if (underWay.has(id) || !hasRoom(kind)) return;
		begun = [...begun, {kind, at: now()}];
		underWay.set(
			id,
			send(alert).finally(() => underWay.delete(id)),
		);
	}

	return {
		/** Keeps and sends an alert, unless its event is known: of console and guard one tells it. */
		add(alert: Alert): void {
			if (kept.add({...keptAlert(alert), isUntold: true})) begin(alert);
		},
		/** Sends what this guard, or another before it, has not sent to the end. */
		resume(): void {
			kept.refresh();
			for (const {key: _key, isNew: _isNew, isUntold, ...alert} of kept.get()) {
				if (isUntold === true) begin(alert);
			}
		},
		/** Waits for all that is being sent, and until everything is in the file. */
		async settle(): Promise<void> {
			await Promise.all(underWay.values());
			await kept.settle();
		},
	};
}
