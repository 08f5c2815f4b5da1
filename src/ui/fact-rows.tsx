/** Facts of a list of terms, each with its value. */

export type Fact = [name: string, value: string];

export function FactRows({ facts }: { facts: Fact[] }) {
  return (
    <>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </>
  );
}
