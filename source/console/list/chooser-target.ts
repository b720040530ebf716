import type {ColumnChoice} from '../../renter/settings/default-settings.ts';
import type {Store} from '../../renter/state/store.ts';
import {
	arranged,
	moveColumn,
	nextSet,
	toggleColumn,
	usualChoice,
	widenColumn,
	type Column,
} from './columns.ts';

export type Chooser<Row> = {
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly cursor: Store<string | undefined>;
	/** The present choice, which may not be drawn yet. */
	readonly presentChoice: () => ColumnChoice;
	readonly onChange: (choice: ColumnChoice) => void;
	readonly onClose: () => void;
};

export function columnChooserTarget<Row>(chooser: Chooser<Row>) {
	const {columns, cursor, presentChoice, onChange, onClose} = chooser;
	const present = () => arranged(columns, presentChoice());
	function change(by: (column: Column<Row>, choice: ColumnChoice) => ColumnChoice): void {
		const column = present().find(({id}) => id === cursor.get());
		if (column !== undefined) onChange(by(column, presentChoice()));
	}
	return {
		step(by: number) {
			const ids = present().map(({id}) => id);
			const place = ids.indexOf(cursor.get() ?? '') + by;
			cursor.set(ids[Math.max(0, Math.min(place, ids.length - 1))]);
		},
		toggle: () => change(toggleColumn),
		shift: (step: 1 | -1) => change(({id}, choice) => moveColumn(columns, choice, {id, step})),
		widen: (by: 1 | -1) => change((column, choice) => widenColumn(column, choice, by)),
		nextSet: () => onChange(nextSet(presentChoice())),
		reset: () => onChange(usualChoice),
		close: onClose,
	};
}
