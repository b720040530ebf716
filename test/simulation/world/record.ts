/** What happened in a world: its log, the story of deeds and faults, and the parts a smaller world can do without. */

/** Something that happened, and might not have. */
export type Part = {readonly kind: string; readonly actor: string; readonly name: string};

/** @param without Kinds, actors and names of parts that do not happen */
export function createRecord(now: () => number, without: ReadonlySet<string>) {
	const log: string[] = [];
	const story: string[] = [];
	const parts: Part[] = [];
	const numbers = new Map<string, number>();

	function say(text: string): void {
		log.push(`${clockText(now())} ${text}`);
	}

	/** Number of what has the same name, from 1. */
	function numberOf(name: string): number {
		const number = (numbers.get(name) ?? 0) + 1;
		numbers.set(name, number);
		return number;
	}

	return {
		log,
		/** Lines of the log about deeds and faults. */
		story,
		parts,
		say,
		tell(text: string): void {
			say(text);
			story.push(`${clockText(now())} ${text.slice(0, 160)}`);
		},
		numberOf,
		/** True if something happens that a smaller world can do without. */
		may(kind: string, actor: string): boolean {
			const name = `${kind} of ${actor}, ${numberOf(`${kind} of ${actor}`)}`;
			if (without.has(kind) || without.has(actor) || without.has(name)) return false;
			parts.push({kind, actor, name});
			return true;
		},
	};
}

/** "1d 02:03:04.005" */
function clockText(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
	const days = Math.floor(seconds / 86_400);
	return `${days}d ${parts.map(part => String(part).padStart(2, '0')).join(':')}.${String(Math.floor(ms % 1000)).padStart(3, '0')}`;
}
