export * from 'kysely';
export {SqliteDriver} from '../database.ts';
