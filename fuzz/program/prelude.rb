# What the programs that `gcstorm show` prints need on a stock ruby, from 3.1 on.
#
# Where a Ruby has no such thing (a non-blocking receive, a store through a shareable Proc), the op
# raises, and `t` answers nil as for every other error.
Warning[:experimental] = false

class Ractor
  unless method_defined?(:value)
    def value = take

    def join
      take
      self
    end
  end

  unless const_defined?(:Port)
    # A port is a Ractor that hands on what it is sent.
    class Port
      def initialize
        @relay = Ractor.new { loop { Ractor.yield(Ractor.receive) } }
        freeze
      end

      def send(message, **options) = @relay.send(message, **options)
      alias << send
      def receive = @relay.take

      def close
        @relay.close_incoming
        @relay.close_outgoing
      end
    end

    def default_port = self
  end
end

# Runs one op: nil if it raises.
def t
  yield
rescue StandardError, NotImplementedError, NoMemoryError
  nil
end

module G
  class Raised < StandardError
    attr_reader :payload

    def initialize(payload = nil)
      super("raised by the program")
      @payload = payload
    end
  end

  # Main may end by an exception of the program's own, as any block may; that is no failure.
  def self.main
    yield
  rescue Raised
    nil
  end

  # The registers are roots by being locals; this is where a reader sees them all.
  def self.registers; end

  def self.object(klass, fields)
    object = (klass.is_a?(Class) ? klass : Object).new
    fields.times { |i| object.instance_variable_set("@f#{i}", nil) }
    object
  end

  def self.string(eighths, byte) = (byte.chr(Encoding::BINARY) * (8 * eighths))

  def self.append(string, eighths, byte)
    string << byte.chr(Encoding::BINARY) * (8 * eighths)
  end

  def self.field(object, index)
    name = "@f#{index}"
    raise IndexError, name unless object.instance_variable_defined?(name)

    name
  end

  def self.field_set(object, index, value) = object.instance_variable_set(field(object, index), value)
  def self.field_get(object, index) = object.instance_variable_get(field(object, index))
  def self.hidden_set(object, value) = object.instance_variable_set(:@hidden, value)
  def self.hidden_get(object) = object.instance_variable_get(:@hidden)
  def self.constant_set(klass, index, value) = klass.const_set("C#{index}", value)
  def self.constant_get(klass, index) = klass.const_get("C#{index}", false)

  def self.closure(slots, value)
    environment = Array.new(slots, value)
    proc { environment }
  end

  def self.slots(closure, index)
    environment = closure.call
    raise IndexError, index.to_s unless index < environment.size

    environment
  end

  def self.env_set(closure, index, value) = slots(closure, index)[index] = value
  def self.env_get(closure, index) = slots(closure, index)[index]

  def self.try_receive
    raise NotImplementedError, "no receive without waiting"
  end

  # A machine stack cannot be written from Ruby; what it names stays alive.
  def self.stack = Ractor.current[:gcstorm_stack] ||= []
  def self.stack_push(value, _kind) = stack.push(value)
  def self.stack_load(depth) = stack.fetch(-1 - depth)
  def self.stack_pop(count) = stack.pop(count)

  def self.gc(kind)
    GC.start(full_mark: kind != :minor, immediate_sweep: kind == :global)
  end

  Skip = Struct.new(:length, :condition)
  Loop = Struct.new(:rounds, :length)
  def self.skip(length, &condition) = Skip.new(length, condition)
  def self.loop(rounds, length) = Loop.new(rounds, length)

  # Steps whose bodies overlap. A body is cut at the end of the body around it, and a loop inside a
  # loop does nothing.
  def self.flow(*steps) = run_flow(steps, 0, steps.size, false)

  def self.run_flow(steps, at, last, in_loop)
    while at < last
      step = steps[at]
      at += 1
      case step
      when Skip
        at = [at + step.length, last].min if step.condition.call
      when Loop
        next if in_loop

        stop = [at + step.length, last].min
        step.rounds.times { run_flow(steps, at, stop, true) }
        at = stop
      else
        step.call
      end
    end
  end
end
